"""What the shop is asked to do: read from a message or from its change to what is under way, and proposed as actions.

words.py      the words that ask for something to be done
parts.py      what a message says of an order: how many, which coupon, points, card, address
reading.py    the kind of act, with its parts
editing.py    a message as a change of what is under way: another count, no coupon, a slot that was asked for, a no
goods.py      which product of the shop, of the cart or of an answer is meant
ordering.py   buying, and the cart
returning.py  cancelling, refunding, exchanging
reviewing.py  reviews
listing.py    a seller's own listings

Nothing is done here: an answerer proposes, the tool gateway previews and does, and what is told comes from the ledger.
"""
