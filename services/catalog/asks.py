"""The asks of a question, read by the installed domains, and the answerers that serve them.

Each domain's reader claims asks with a score. Where two domains claim the same words, the surer one has them; asks of
several domains stand beside each other where their words are apart. The first four are kept, in the order of the text.
"""

import functools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from services.catalog.careful import careful, careful_answerer
from services.catalog.leaning import asked_again, chosen_of_none, lent, told_apart, with_leaning, with_lent_subjects
from services.catalog.loader import CatalogError, catalog
from services.contract.asks import Ask, AskedBefore, AskForm, Origin
from services.contract.flow import RouteDecision
from services.plugin.asks.answering import CERTAIN, Answerer, Claim, Reader, RoutedReader
from services.plugin.asks.asides import without_asides
from services.plugin.asks.closings import is_closing
from services.plugin.asks.edits import ordinal, short
from services.plugin.asks.forms import Clause, parts_of
from services.plugin.asks.sheet import Sheet
from services.plugin.installed import installed_domains
from services.text.patterns import Pattern

ASKS_MAX: Final = 4
"""How many asks of one message are answered."""
LIKELY: Final = 0.85
"""Below this score a reading is a guess, and what a message means is looked at."""
SURE: Final = 0.95
"""The score of a reading that rests on a domain's words and a subject."""
_OF_TEXTS: Final = frozenset({AskForm.DRAFT, AskForm.REVIEW})
"""Forms of asks whose message holds a text, which is not read for requests."""
_EMPTY_WORDS: Final = 2
SURELY: Final = 0.9
"""From this score on a part of a sentence is a request of its own."""
SEVERAL: Final = 2
"""From so many asks on a person is asked which of them comes first."""
CLAUSES_MAX: Final = 24
"""How many sentences of one message are read as requests of their own; each costs a reading by every domain."""
JOINTS_MAX: Final = 8
"""How many conjunctions are tried as the place where two requests join."""
_BOTH: Final = r"둘\s?다|두\s?(?:개|가지)\s?다|모두|전부|다\s?(?:알려|해|보여|궁금)|^다\b|\bboth\b|\ball\b|everything"
_JOINT: Final = Pattern(
    r"(?<=[가-힣A-Za-z0-9)])(?:이?랑|하고|와|과)\s(?=\S)|,?\s그리고\s|,?\sand\s(?:also\s)?|[,;]\s", re.IGNORECASE
)


_SUPPOSES: Final = Pattern(
    r"^\W*(?:(?:and|so|but|ok|then) )*(?:if|when|suppose|say|given|assuming|since|because|as|with)\b"
    r"|(?:면|는데|인데|은데|니까|라서|어서|아서|지만)$",
    re.IGNORECASE,
)
"""A clause before a comma that only says under what, and is no request of its own."""


@dataclass(frozen=True, slots=True)
class AskDomain:
    """What one domain declares to answer asks."""

    name: str
    """The domain."""
    read: Reader
    """Its reader."""
    answerers: Mapping[str, Answerer]
    """Its answerers by their full id: "realty.market_level"."""
    routed: RoutedReader | None = None
    """What it reads by the route alone; None where it reads nothing so."""
    meant: Reader | None = None
    """What it reads by the meaning of a whole message; None where it reads nothing so."""
    near: Reader | None = None
    """What it reads by nearness in what no reader is sure of; None where it reads nothing so."""


@functools.cache
def ask_domains() -> Mapping[str, AskDomain]:
    """Return the domains that answer asks, by name.

    Raises:
        CatalogError: A domain's module `asks` lacks READ or ANSWERERS, or an id is declared twice.
    """
    found = {}
    for domain in installed_domains():
        module = domain.module("asks")
        if module is None:
            continue
        read, answerers = getattr(module, "READ", None), getattr(module, "ANSWERERS", None)
        if not callable(read) or not isinstance(answerers, tuple):
            raise CatalogError(f"{module.__name__}: READ is a reader and ANSWERERS a tuple of answerers")
        by_id = {f"{domain.name}.{one.id}": careful_answerer(domain.name, one) for one in answerers}
        if len(by_id) != len(answerers):
            raise CatalogError(f"{module.__name__}: two answerers bear one id")
        routed, meant, near = (
            careful(domain.name, name, reader) if (reader := getattr(module, name, None)) is not None else None
            for name in ("ROUTED", "MEANT", "NEAR")
        )
        found[domain.name] = AskDomain(domain.name, careful(domain.name, "READ", read), by_id, routed, meant, near)
    return found


def answerer_of(ask: Ask) -> Answerer | None:
    """Return what answers an ask; None where its domain has nothing of that id."""
    domain = ask_domains().get(ask.domain)
    return domain.answerers.get(ask.answerer) if domain is not None else None


@functools.cache
def answering_agents() -> frozenset[str]:
    """Return the agents that answer asks."""
    return frozenset(name for one in ask_domains().values() for it in one.answerers.values() for name in it.agents)


def is_unread(route: RouteDecision | None, agents: Collection[str]) -> bool:
    """Tell whether no request was read in a question though those who were sent for it answer by requests.

    What they find for it is no answer: it only lies near. A question for a report asks for nothing in particular.
    """
    if route is None or route.asks or not agents or not set(agents) <= answering_agents():
        return False
    intent = catalog().intents.get(route.intent)
    return intent is not None and not (intent.tells_all or intent.direct or intent.requires_confirmation)


def asks_of_route(
    domain: str, intent: str, sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str] = ()
) -> tuple[Claim, ...]:
    """Return the ask of a question by its route alone; none where its domain reads none so."""
    own = ask_domains().get(domain)
    if own is None or own.routed is None:
        return ()
    claims = [_named(claim, domain) for claim in own.routed(sheet, before, intent)]
    served = [claim for claim in claims if not domains or _is_served_in(claim.ask, domains)]
    return tuple(replace(claim, ask=_numbered(claim.ask, "q1", {})) for claim in served[:1])


def read_asks(sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str] = ()) -> tuple[Claim, ...]:
    """Return the asks of a question with their scores, in the order of the text, named q1, q2, ...

    A message is read as a whole, and in parts where its parts ask for different things: sentences, or what a
    conjunction joins of two domains. An answer to hapju's own question which of several was meant takes those.

    Args:
        sheet: The question.
        before: Earlier messages of the conversation, the latest first.
        domains: The domains that may answer; all where empty.
    """
    read = _claimed(sheet, before, domains)
    claims = [claim for claim in read if claim.is_whole]
    if claims and not {claim.ask.form for claim in claims} & _OF_TEXTS:
        claims = _joined(sheet, claims, domains) or _in_finer_parts(sheet, before, domains) or claims
    plain = without_asides(sheet)
    claims = claims or _read_plainly(plain, before, domains, read if plain is sheet else None)
    if not any(claim.score >= LIKELY for claim in claims):
        claims = _meant(sheet, before, domains) or claims
    kept = sorted(_apart(_without_strays(claims, before)), key=_place)[:ASKS_MAX]
    ids = {claim.ask.ask_id or f"#{at}": f"q{at}" for at, claim in enumerate(kept, start=1)}
    return tuple(replace(claim, ask=_numbered(claim.ask, f"q{at}", ids)) for at, claim in enumerate(kept, start=1))


def _read_plainly(
    sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str], read: Sequence[Claim] | None
) -> list[Claim]:
    """Return the asks of a message that holds no text of its own; one without a subject is lent those asked last.

    `read` are the claims on it as a whole where they are known.
    """
    if before and is_closing(sheet.text):
        return []
    if answered := _chosen_of_last(sheet, before) or told_apart(sheet, before) or chosen_of_none(sheet, before):
        return answered
    claims = _in_parts(sheet, before, domains)
    whole_claims: Sequence[Claim] = ()
    if not claims or sheet.numbers:
        whole_claims = _claimed(sheet, before, domains) if read is None else read
    if not claims or _hears_more(whole_claims, claims):
        claims = with_leaning(whole_claims, sheet, before)
    claims = claims or asked_again(sheet, before)
    if claims or (whole := with_lent_subjects(sheet, before)) is None:
        return claims
    return lent(_claimed(whole, before, domains), sheet, before)


def _meant(sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str]) -> list[Claim]:
    """Return the asks that a message means though no words of a reader say them: those of the surest domain."""
    found = [
        [_named(claim, domain.name) for claim in domain.meant(sheet, before)]
        for domain in ask_domains().values()
        if domain.meant is not None
    ]
    served = [[one for one in claims if not domains or _is_served_in(one.ask, domains)] for claims in found]
    return max(served, key=lambda claims: max((one.score for one in claims), default=0.0), default=[])


def _claimed(sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str]) -> list[Claim]:
    """Return what the readers of all domains claim; where none is sure, what a message is near to as well."""
    claims = [_named(claim, domain.name) for domain in ask_domains().values() for claim in domain.read(sheet, before)]
    if not any(claim.score >= LIKELY for claim in claims):
        # Nearness is told by the sentence encoder, which takes longer to load than all else that a question needs.
        read = {claim.ask.domain for claim in claims}
        near = [(one.name, one.near) for one in ask_domains().values() if one.near and one.name not in read]
        claims += [_named(claim, name) for name, reader in near for claim in reader(sheet, before)]
    return [claim for claim in claims if not domains or _is_served_in(claim.ask, domains)]


def _chosen_of_last(sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the asks that an answer to "which of these first?" picks: both, the second, or the one that it names."""
    offered = before[0].asks if before and not before[0].answers else ()
    if len(offered) < SEVERAL or not short(sheet.text):
        return []
    if sheet.says(_BOTH):
        picked = offered
    elif (place := ordinal(sheet)) is not None and place < len(offered):
        picked = offered[place : place + 1]
    else:
        said = set(re.findall(r"[가-힣A-Za-z]{2,}", sheet.text.lower()))
        shared = [(sum(word in ask.words.lower() for word in said), ask) for ask in offered]
        most = max(count for count, _ in shared)
        picked = tuple(ask for count, ask in shared if count == most) if most else ()
        picked = picked if len(picked) == 1 else ()
    return [Claim(ask, 0.95) for ask in picked]


def _in_parts(sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str]) -> list[Claim]:
    """Return the asks of the parts of a message, where at least two parts ask for different things."""
    if len(sheet.clauses) > 1:
        found = _by_clause(sheet, before, domains)
        apart = [one for one in _apart(found) if not any(_completes(other.ask, one.ask) for other in found)]
        if len({claim.ask.answerer for claim in apart}) > 1:
            return apart
    if finer := _in_finer_parts(sheet, before, domains):
        return finer
    for left, right in _cuts(sheet):
        sides = [_claimed_in(sheet, part, before, domains) for part in (left, right)]
        grounds = [{claim.ask.domain for claim in side} for side in sides]
        if all(sides) and not grounds[0] & grounds[1]:
            return [claim for side in sides for claim in side]
    return []


def _joined(sheet: Sheet, whole: Sequence[Claim], domains: Collection[str]) -> list[Claim]:
    """Return the asks of two requests that are joined though one domain took the message for a whole; none of one.

    The other side is surely a request of another domain, and names nothing of the first one's.
    """
    if any(claim.score >= CERTAIN for claim in whole):
        return []
    own = {claim.ask.domain for claim in whole}
    for parts in _divisions(sheet):
        sides = [[one for one in _claimed_in(sheet, part, (), domains) if one.score >= SURE] for part in parts]
        others = [part for part, side in zip(parts, sides, strict=True) if not own & {one.ask.domain for one in side}]
        if all(sides) and 0 < len(others) < len(parts) and not any(_names_of(own, sheet.part(part)) for part in others):
            return [claim for side in sides for claim in side]
    return []


def _divisions(sheet: Sheet) -> Iterator[Sequence[Clause]]:
    """Yield the ways to divide a message: into its sentences, and in two at each conjunction."""
    if 1 < len(sheet.clauses) <= ASKS_MAX:
        yield sheet.clauses
    yield from _cuts(sheet)


def _cuts(sheet: Sheet) -> Iterator[tuple[Clause, Clause]]:
    """Yield what stands before and behind each conjunction that may join two requests."""
    for cut in islice(_JOINT.finditer(sheet.text), JOINTS_MAX):
        left = Clause(sheet.text[: cut.start()], 0, cut.start())
        if not (cut.group().startswith(",") and _SUPPOSES.search(left.text)):
            yield left, _rest(sheet, cut.end())


def _names_of(domains: Collection[str], sheet: Sheet) -> bool:
    """Tell whether a part names a thing of some domains' own kinds; free words name none."""
    kinds = catalog().kinds
    return any(one.kind in kinds and kinds[one.kind].domain in domains for one in sheet.entities)


def _in_finer_parts(sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str]) -> list[Claim]:
    """Return the asks of the parts that a message may have beside its sentences, each a request of another kind.

    What no words of a part say is looked for in its meaning: the second of two requests is often said in brief.
    """
    parts = parts_of(sheet.text)
    if not len(sheet.clauses) < len(parts) <= ASKS_MAX:
        return []
    found: list[Claim] = []
    for part in parts:
        told = [AskedBefore(tuple(claim.ask for claim in found)), *before] if found else before
        claims = [one for one in _claimed_in(sheet, part, told, domains) if _is_question(one)] or [
            replace(one, ask=_moved(one.ask, part)) for one in _meant(sheet.part(part), told, domains)
        ]
        if not claims and short(part.text, _EMPTY_WORDS):
            # "... 알려줘" at the end asks for what stands before it.
            continue
        if not claims or any(claim.ask.answerer == other.ask.answerer for claim in claims for other in found):
            return []
        found += claims
    return found if len(found) > 1 and not _divides(found, _claimed(sheet, before, domains)) else []


def _divides(parts: Sequence[Claim], whole: Sequence[Claim]) -> bool:
    """Tell whether parts take apart what a message holds against each other.

    "A or B, which is cheaper?" is one ask, and so is "which of A and B is cheaper, and what is the gap?".
    """
    held = [{one.value for one in claim.ask.subjects} for claim in whole if claim.ask.form is AskForm.COMPARE]
    named = [{one.value for one in claim.ask.subjects} for claim in parts]
    return any(len(things) > 1 and sum(things <= one for one in named) != 1 for things in held)


def _is_question(claim: Claim) -> bool:
    """Tell whether a part surely asks; what is to be done, or how own things stand, is said in its own sentence."""
    return claim.score >= SURELY and claim.ask.form not in {AskForm.ACT, AskForm.STATUS}


def _hears_more(whole: Sequence[Claim], parts: Sequence[Claim]) -> bool:
    """Tell whether a message read as one has a use for more of its numbers than its parts have, and for all of them."""
    heard = max((_said(one.ask) for one in whole if all(it.role for it in one.ask.quantities)), default=0)
    return heard > sum(_said(one.ask) for one in parts)


def _completes(ask: Ask, former: Ask) -> bool:
    """Tell whether an ask is a former one with more in it: a sentence that only adds a number to the one before."""
    if ask is former or ask.answerer != former.answerer:
        return False
    mine = {(one.role, one.value) for one in ask.quantities}
    theirs = {(one.role, one.value) for one in former.quantities}
    named = {one.value for one in ask.subjects} >= {one.value for one in former.subjects}
    return named and mine > theirs


def _by_clause(sheet: Sheet, before: Sequence[AskedBefore], domains: Collection[str]) -> list[Claim]:
    """Return the asks of each sentence; one that leaves something out leans on the sentence before it.

    Of a text with more sentences than people ask in, the first and the last are read: there is where it says what for.
    """
    found: list[Claim] = []
    clauses = sheet.clauses
    if len(clauses) > CLAUSES_MAX:
        clauses = (*clauses[: CLAUSES_MAX // 2], *clauses[-CLAUSES_MAX // 2 :])
    for clause in clauses:
        told = [AskedBefore(tuple(claim.ask for claim in found)), *before] if found else before
        found += _claimed_in(sheet, clause, told, domains)
    return found


def _claimed_in(sheet: Sheet, clause: Clause, before: Sequence[AskedBefore], domains: Collection[str]) -> list[Claim]:
    claims = _claimed(sheet.part(clause), before, domains)
    return [replace(one, ask=_moved(one.ask, clause)) for one in claims]


def _moved(ask: Ask, clause: Clause) -> Ask:
    """Return an ask of a part with its places counted in the whole."""
    by = clause.start
    subjects = tuple(replace(one, start=one.start + by, end=one.end + by) if one.end else one for one in ask.subjects)
    return replace(ask, start=ask.start + by, end=min(ask.end + by, clause.end), subjects=subjects)


def _rest(sheet: Sheet, start: int) -> Clause:
    return Clause(sheet.text[start:], start, len(sheet.text))


def _is_served_in(ask: Ask, domains: Collection[str]) -> bool:
    """Tell whether an agent of one of these domains answers an ask; a ground that others require has none itself."""
    answerer = answerer_of(ask)
    return answerer is not None and any(name.partition(".")[0] in domains for name in answerer.agents)


def _named(claim: Claim, domain: str) -> Claim:
    ask = claim.ask
    answerer = ask.answerer if ask.answerer.startswith(f"{domain}.") else f"{domain}.{ask.answerer}"
    return replace(claim, ask=replace(ask, domain=domain, answerer=answerer))


def _numbered(ask: Ask, ask_id: str, ids: Mapping[str, str]) -> Ask:
    """Return an ask under its place; what it depends on is named by its reader's own ids."""
    return replace(ask, ask_id=ask_id, depends_on=tuple(ids[one] for one in ask.depends_on if one in ids))


def _without_strays(claims: Sequence[Claim], before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the claims on what a message names, where the message before was about that domain and another.

    "And that one against last year?", with its name, is about that one alone though two were asked about.
    """
    spoken = {ask.domain for ask in before[0].asks} if before else set()
    sure = [claim for claim in claims if claim.score >= LIKELY and claim.ask.form is not AskForm.ACT]
    named = {claim.ask.domain for claim in sure if _places(claim.ask)} & spoken
    if len(spoken) < SEVERAL or not named:
        return list(claims)
    strays = {id(one) for one in sure if one.ask.subjects and not _places(one.ask) and named - {one.ask.domain}}
    return [claim for claim in claims if id(claim) not in strays]


def _apart(claims: Sequence[Claim]) -> list[Claim]:
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda claim: (-claim.score, -_said(claim.ask))):
        if all(claim.ask.domain == other.ask.domain or not _overlap(claim.ask, other.ask) for other in kept):
            kept.append(claim)
    return kept


def _said(ask: Ask) -> int:
    """Return how many of the numbers that a message says an ask has a use for: of equals, who uses them has it."""
    return sum(one.origin is Origin.GIVEN for one in ask.quantities) + len(ask.conditions)


def _overlap(one: Ask, other: Ask) -> bool:
    """Tell whether two asks rest on the same words: on those of their subjects where both name some, else on all."""
    mine, theirs = _places(one), _places(other)
    if mine and theirs:
        return any(start < end_2 and start_2 < end for start, end in mine for start_2, end_2 in theirs)
    return one.start < other.end and other.start < one.end


def _places(ask: Ask) -> tuple[tuple[int, int], ...]:
    return tuple((one.start, one.end) for one in ask.subjects if one.end)


def _place(claim: Claim) -> tuple[int, int]:
    """Return where an ask begins: at its first subject, else at its first word."""
    places = _places(claim.ask)
    return (min(places)[0], claim.ask.end) if places else (claim.ask.start, claim.ask.end)
