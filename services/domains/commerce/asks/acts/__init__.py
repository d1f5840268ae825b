"""What the shop is asked to do: read from a message or from its change to what is under way, and proposed as actions.

words.py      the words that ask for something to be done
parts.py      what a message says of an order: how many, which coupon, points, card, address
said.py       what a message says of goods: why they go back, what they are like, their new price
requests.py   which act a message asks for, by its words
notes.py      what it says of that act
together.py   two acts in one message, or an act and a question
reading.py    the ask of it, or of its change to what is under way
amending.py   what such a message changes of an order: its lines, their counts, its product
editing.py    a message as a change of what is under way: another count, no coupon, a slot that was asked for, a no
goods.py      which product of the shop, of the cart or of an answer is meant
lines.py      the lines of an order or a cart: which products, how many of each
coupons.py    which coupon is meant, and what it takes off
proposing.py  a proposal, or a question for what is lacking
ordering.py   buying
carting.py    the cart
returning.py  cancelling, refunding, exchanging
reviewing.py  reviews
listing.py    a seller's own listings

Nothing is done here: an answerer proposes, the tool gateway previews and does, and what is told comes from the ledger.
"""
