"""Contracts and letters that are to be written, and what a conversation does with them: change, approve, reject, obtain.

notes of the ask      form, state (draft, final, discarded, file), fields in canonical form
a change              the fields of the last draft with those of the message
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Ground, Said
from services.contract.documents import FinalDocument
from services.contract.flow import Evidence, Provenance
from services.domains.realty.agreements.draft import DocumentDraft, drafted
from services.domains.realty.agreements.forms import LETTERS, FormName, forms
from services.domains.realty.agreements.passages import PassageDay
from services.domains.realty.agreements.special import edited, listed
from services.domains.realty.agreements.terms import Spans, changed, form_of, said_values, terms_in
from services.plugin.asks.answering import CERTAIN, Answerer, Claim, Found, Outcome, answered, declined
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD, days, of_kind
from services.plugin.findings import Asking
from services.plugin.wording import Text
from services.text.ko.written import josa

DRAFT_SCHEMA: Final = "hapju.agent.realty_document.draft.v1"
"""The schema of a draft: form, title, text, fields with kind and value, missing fields, and its state of approval."""
_SOURCE: Final = Text("이 서비스가 만든 초안", "a draft made by this service")
_CONTRACT: Final = r"계약서|contract\b|\blease\b|agreement\b"
_MAKE: Final = (
    r"만들|작성(?!한|했|된|하신|할\s?때)|써\s?(?:줘|주|줄|달|봐)|초안|뽑아|양식|서식|준비해|필요해|부탁"
    r"|\bdraft|\bwrite|\bprepare|\bcreate|\bmake (?:me )?(?:a|the)\b|template|draw up|put together|come up with|set up an?\b|\bneed a\b"
)
_NO_MAKE: Final = (
    r"주의|유의|조심|적어야|적나|받았|검토|봐\s?(?:줘|주)|문제|위조|위변조|써도|써야\s?(?:하나|되나|돼|해)|어떻게\s?(?:써|작성)|방법|비교"
    r"|\breview|\bcheck|how (?:do|to|should)|what should|forge|fake|보고서|report\b"
)
_CONDITIONAL: Final = r"[가-힣]면[\s,].{0,40}(?:초안|계약서|만들|작성|써)|아니면|없으면|\bif\b|in case"
_OTHER_KIND: Final = (
    r"근로|용역|고용|물품|동업|투자\s?계약|차용|employment|freelance|service agreement|\bnda\b|loan agreement"
)
_LETTER: Final = r"내용\s?증명|통지서|통보서|요청서|\bletter\b|certified mail|\bnotice\b"
_MESSAGE: Final = r"(?:집주인|임대인|주인집?|landlord|owner|lessor).{0,60}(?:문자|메시지|메세지|카톡|메일|편지|\bmessage|\btext\b|\be-?mail|\bnote\b)|(?:문자|메시지|메세지|카톡|메일|편지|\bmessage|\btext\b|\be-?mail|\bnote\b).{0,60}(?:집주인|임대인|landlord|owner|lessor)"
"""A message to a landlord is a letter, however it is sent."""
_SEND: Final = rf"{_MAKE}|쓰고\s?싶|쓸\s?(?:건데|거야|거예요|게요|래요)|보내(?:고\s?싶|려고|려는|야|줘|주)|써야\s?(?:해|돼|할)|\bsend\b|help me|\bwant a\b|\blike a\b"
"""Who is to write to somebody wants the letter, however it is put."""
_NO_LETTER: Final = (
    r"위조|위변조|받았(?:어|는데|습)[^.?!]{0,20}(?:내용\s?증명|통지)|(?:내용\s?증명|통지서|편지|문자)(?:을|를|가|이)?\s?(?:받|왔|뭐|효력|꼭|어떻게|언제)"
    r"|어떻게\s?(?:써|작성|보내)|방법|써도|보내도|써야\s?(?:하나|되나)|보내야\s?(?:하나|되나|하는지)|how (?:do|to|should)|what should|should i|do i (?:have|need)|must i|forge|fake"
)
"""What asks about a letter, or has one, and wants none written."""
_DEMAND: Final = (
    r"(?:보증금|전세금)[^.?!]{0,24}(?:돌려|반환|달라|(?:안|못)\s?(?:주|줘|받))|(?:return|pay|give|refund|demand\w*|ask\w* for)[^.?!]{0,40}deposit"
    r"|deposit[^.?!]{0,20}(?:\bback|return|refund)|(?:kept|keep\w*|holds?|holding|owes?) (?:me )?(?:\w+ ){0,2}deposit"
)
"""What asks for the deposit, which is what a letter is for however the lease has ended."""
_NOT_RENEWED: Final = (
    r"안\s?갱신|(?:갱신|연장|재계약)(?:을|를)?\s?(?:하지|안)|\bnon-?renewal"
    r"|(?:\bnot|n['’]t)(?: be| going to| want to| wish to| intend to| plan to)* (?:renew|extend|stay)"
)
_ENDS: Final = rf"나가겠|나간다|{_NOT_RENEWED}|해지\s?(?:통|한다|하겠|의사)|종료\s?통|만기\s?통|(?:will|going to|want to|i['’]?m) (?:move|moving) out|\bnotice (?:that|of)"
_LETTERS: Final[tuple[tuple[FormName, str], ...]] = (
    ("end_notice", _NOT_RENEWED),
    ("renewal_request", r"갱신(?!\s?(?:거절|하지|안))|연장|renew"),
    ("end_notice", r"해지|종료\s?통|만기\s?통|나가겠|나간다|move out|terminat"),
    ("deposit_demand", r"보증금|전세금|반환|deposit"),
    (
        "repair_request",
        r"수리|고쳐|고치|고장|누수|곰팡이|보일러|물이?\s?새|안\s?(?:나와|나온|켜|돼)|\brepair|\bfix|broken|leak|mou?ld|does(?:n['’]t| not) work",
    ),
)
_GOES_ON: Final = r"승인|확정(?:해|할|하|$)|(?:이대로|그대로|이걸로|이거로|그걸로)\s?(?:해|할|하|진행|쓸|갈|가자|가죠|가겠|좋|됐|확정)"
_APPROVE: Final = rf"{_GOES_ON}|\bapprove|finali[sz]e|accept (?:it|the draft|this)|looks good|\bgo ahead|\bproceed\b|(?:go|happy) with (?:it|this|that)|(?:that|it|this)(?:['’]s| is) (?:fine|good|great|perfect|ok(?:ay)?)\b|confirm (?:it|the draft)"
_DISCARD: Final = (
    rf"반려|폐기|없던\s?(?:일|걸)|(?:초안|계약서|이거|그거|다)\s?(?:을|를|는)?\s?(?:버려|취소|지워|삭제)|^(?:[\s,.!]|아니(?:다|야|요|에요)?|아|그냥|음|저기|역시)*(?:됐(?:어|다|습니다)\S*[\s,.]*)?(?:취소|버려|관두|그만\s?[두할]|안\s?(?:할|쓸)|필요\s?없|됐(?:어|다)(?!.*(?:{_GOES_ON})))"
    r"|없애|안\s?(?:쓸|할|만들|쓰)(?:래|게|게요|래요|려고|기로)|치워|파기|\bnever ?mind\b|\b(?:do not|don['’]t|no longer) need\b|\bdiscard|\breject|\bthrow (?:(?:it|this|that|the \w+) )?(?:away|out)|\bscrap|\bditch|\bget rid of|\b(?:cancel|delete|drop|bin|forget) (?:about )?(?:it|that|the (?:draft|contract|lease|whole (?:thing|lot))|this|everything)\b"
)
_FILE: Final = r"docx|워드|\bword\b|\bpdf\b|\bhwp\b|한글\s?파일|파일로|다운로드|내려받|download|as a file"
_SHOW: Final = (
    r"(?:초안|계약서|내용증명).{0,10}(?:다시|보여)|(?:show|see) (?:me )?(?:the )?(?:draft|contract|lease)"
    r"|빠진\s?(?:거|것|게|항목)|빈\s?(?:칸|항목)|안\s?(?:채운|정해진)|(?:뭐|무엇|뭘)[가를이]?\s?(?:더\s?)?(?:필요|남았|채워)|\b(?:is|are|what['’]?s) (?:still )?missing|left to fill|fill(?:ed)? in"
)
_EDIT: Final = (
    r"고쳐|고치|수정|바꿔|바꾸|변경|넣어|추가|빼|지워|삭제|올려|내려|낮춰|(?:으로|로)\s?(?:해|하)|이야$|입니다$|이에요$|예요$"
    r"|\bchange|\bmake (?:it|the)|\bset\b|\bput\b|\badd\b|\bremove|\bupdate|instead|should be|\braise|\blower"
)
_REMOVE: Final = r"빼\s?(?:줘|주|고)|지워|삭제|\bremove\b|\bdelete\b|take out"
_FIELD_WORDS: Final = {
    "area": r"면적|area",
    "account": r"계좌|account",
    "rent_day": r"지급일|rent day",
    "earnest": r"계약금|earnest",
    "handover": r"인도일|입주일|handover",
    "landlord": r"임대인|landlord",
    "tenant": r"임차인|tenant",
}
_A_PAPER: Final = r"초안|계약서|내용\s?증명|\bdraft\b|\bcontract\b|\blease\b"
_ASKS: Final = r"[?]|얼마|시세"
_STYLE: Final = r"정중|공손|부드럽|친절|딱딱|강하게|세게|짧게|간단|길게|자세히|말투|문체|polite|softer|firmer|shorter|longer|more formal|tone"
_WORDS_MAX: Final = 8
_EDIT_WORDS_MAX: Final = 14
_TERM_WORDS_MAX: Final = 40
_STYLE_WORDS_MAX: Final = 8


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask to write a contract or letter, or what is to be done with the one under way."""
    last = _last(before)
    if last is not None and (claim := _of_draft(sheet, last, is_last=_is_just_told(before))) is not None:
        return (claim,)
    form = _wanted(sheet)
    if form is None:
        return ()
    notes = {"form": form, "state": "draft" if form in forms().forms else "", **_said(sheet, form)}
    # Its home, its sums and its days are also what a list of homes is asked by.
    return (_claim(sheet, notes, _OF_A_PAPER if notes["state"] else CERTAIN),)


def is_conditional(sheet: Sheet) -> bool:
    """Tell whether a paper is to be written only where something holds, which is found out first and is no question of law."""
    return (
        sheet.says(rf"초안|{_CONTRACT}|\bdraft")
        and sheet.says(_MAKE)
        and sheet.says(_CONDITIONAL)
        and not sheet.says(_MESSAGE)
    )


def _wanted(sheet: Sheet) -> str | None:
    """Return the form that is to be written; "other" for one that is not served, None where nothing is to be written."""
    is_letter = (sheet.says(_LETTER) or sheet.says(_MESSAGE)) and (
        not sheet.says(r"계약서") or sheet.says(r"내용\s?증명")
    )
    if is_letter and sheet.says(_SEND) and not sheet.says(_NO_LETTER) and not is_conditional(sheet):
        return _letter(sheet)
    if not sheet.says(_MAKE) or sheet.says(_NO_MAKE) or is_conditional(sheet) or is_letter:
        return None
    if not sheet.says(_CONTRACT):
        return None
    return "other" if sheet.says(_OTHER_KIND) else form_of(sheet.text)


def _letter(sheet: Sheet) -> str | None:
    """Return which letter is to be written: what it asks for comes before how things came to be."""
    if sheet.says(_DEMAND) and not sheet.says(_ENDS):
        return "deposit_demand"
    named = next((name for name, words in _LETTERS if sheet.says(words)), None)
    return named or ("other" if sheet.says(r"내용\s?증명") else None)


def _said(sheet: Sheet, form: str) -> dict[str, str]:
    places = tuple((one.start, one.end) for one in sheet.of_kind("region") if one.end)
    told = [
        PassageDay(_ahead(days(one)[1], one.words, sheet.today), one.start, one.end)
        for one in of_kind(sheet.entities, PERIOD)
        if one.value and one.end and (days(one)[0] == days(one)[1] or _BY_THEN.match(sheet.text, one.end))
    ]
    return terms_in(sheet.text, form, Spans(places, tuple(told)))


def _ahead(day: date, words: str, today: date) -> date:
    """Return a day of a lease: one that is said without its year, and lies behind, is that of the next year."""
    is_dated = re.search(r"\d{4}|년|year|[Ll]ast|지난", words) is not None
    return day if is_dated or day >= today or (day.month, day.day) == _LEAP_DAY else day.replace(year=day.year + 1)


_BY_THEN: Final = re.compile(r"\s?(?:안에|내에|내로|까지)")
"""What makes a week or a month the day that it ends on."""
_LEAP_DAY: Final = (2, 29)


def _of_draft(sheet: Sheet, last: Ask, *, is_last: bool) -> Claim | None:
    """Return what a message does with the draft under way; None where it is about something else."""
    if last.notes.get("state") == "draft":
        if (claim := _of_special(sheet, last, is_last=is_last)) is not None:
            return claim
        if (
            is_last
            and sheet.says(_STYLE)
            and short(sheet.text, _STYLE_WORDS_MAX)
            and not _said(sheet, last.notes["form"])
        ):
            return _claim(sheet, {**last.notes, "wants": "style"})
    return _of_word(sheet, last, is_last=is_last) or _of_terms(sheet, last, is_last=is_last)


def _of_special(sheet: Sheet, last: Ask, *, is_last: bool) -> Claim | None:
    """Return a claim on a message that adds, changes or strikes a special term, and is about nothing else."""
    if sheet.says(_ASKS) or (sheet.says(_CONTRACT) and sheet.says(_MAKE)) or not short(sheet.text, _TERM_WORDS_MAX):
        return None
    items = listed(last.notes.get("special", ""))
    said = _said(sheet, last.notes["form"])
    # What is to be put in, and is no term that the form has a place for, is a special one.
    loosely = is_last and not said and last.notes["form"] not in LETTERS
    found = edited(sheet.text, items, loosely=loosely)
    # What a letter is to say besides, and has a place for, is no special term of it.
    is_field = last.notes["form"] in LETTERS and bool(said.keys() - {"special"})
    if found is None or is_field or (found.missed and said):
        return None
    notes = {name: value for name, value in last.notes.items() if name not in {"special", "wants"}}
    notes |= {"special": "\n".join(found.items)} if found.items else {}
    return _claim(sheet, {**notes, "wants": "no_term"} if found.missed else notes, _OF_A_PAPER)


def _of_word(sheet: Sheet, last: Ask, *, is_last: bool) -> Claim | None:
    """Return a claim on a word that approves or discards a draft, or asks for it or its file."""
    is_open = last.notes.get("state") == "draft"
    edits = is_open and sheet.says(_EDIT) and bool(_said(sheet, last.notes["form"]))
    # A word of approval reaches a draft that is open over a question between.
    about_it = is_last or sheet.says(_A_PAPER) or (is_open and sheet.says(_APPROVE))
    if not about_it or edits or not short(sheet.text, _WORDS_MAX):
        return None
    for state, words in (("discarded", _DISCARD), ("final", _APPROVE), ("file", _FILE), ("shown", _SHOW)):
        if sheet.says(words) and not (state == "shown" and sheet.says(_MAKE)):
            # What was told just before is what "cancel it" is about, not an order of some other day.
            return _claim(sheet, _next(last.notes, state), 0.98 if is_last else 0.97)
    return None


def _of_terms(sheet: Sheet, last: Ask, *, is_last: bool) -> Claim | None:
    """Return a claim on a message that changes what the fields of an open draft say."""
    is_open = last.notes.get("state") == "draft"
    if not is_open or not short(sheet.text, _EDIT_WORDS_MAX) or (sheet.says(_CONTRACT) and sheet.says(_MAKE)):
        return None
    form = (
        form_of(sheet.text, last.notes["form"]) if sheet.says(r"(?:으로|로)\s?(?:바꿔|변경|해)") else last.notes["form"]
    )
    said = {name: value for name, value in _said(sheet, form).items() if name != "special"}
    gone = [name for name, words in _FIELD_WORDS.items() if sheet.says(_REMOVE) and sheet.says(words)]
    has_verb = sheet.says(_EDIT)
    if not (said or gone or form != last.notes["form"]) or not (has_verb or is_last) or sheet.says(_ASKS):
        return None
    if not (is_last or sheet.says(_A_PAPER)) and not has_verb:
        return None
    notes = changed(
        {name: value for name, value in last.notes.items() if name not in {*gone, "wants"}}, said, sheet.text
    )
    # What is changed and approved in one breath is approved as changed.
    return _claim(sheet, {**notes, "form": form, "state": "final" if sheet.says(_APPROVE) else "draft"})


def _next(notes: Mapping[str, str], state: str) -> dict[str, str]:
    """Return the notes of a draft after a word on it; one that was discarded is not kept."""
    if notes.get("state") == "discarded":
        return {"form": notes["form"], "state": "none"}
    if state == "discarded":
        return {"form": notes["form"], "state": "discarded"}
    kept = {name: value for name, value in notes.items() if name != "wants"}
    return {**kept, "state": "final"} if state == "final" else {**kept, "wants": state}


_OF_A_PAPER: Final = 0.98
"""The score of a paper that is to be written."""


def _claim(sheet: Sheet, notes: Mapping[str, str], score: float = CERTAIN) -> Claim:
    ask = Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.DRAFT,
        intent="CONTRACT_CREATION",
        answerer="contract_draft",
        notes=dict(notes),
    )
    return Claim(ask, score, is_whole=True)


def _last(before: Sequence[AskedBefore]) -> Ask | None:
    """Return the last draft of the conversation, over interposed other subjects."""
    asks = (ask for message in before for ask in reversed(message.asks))
    return next((ask for ask in asks if ask.form is AskForm.DRAFT and ask.notes.get("form") in forms().forms), None)


def _is_just_told(before: Sequence[AskedBefore]) -> bool:
    return bool(before) and any(ask.form is AskForm.DRAFT for ask in before[0].asks)


def _answer(ask: Ask, found: Found) -> Outcome:
    notes, locale = ask.notes, "en" if found.asking.locale.startswith("en") else "ko"
    form = notes.get("form", "")
    if form not in forms().forms:
        return Outcome(declined(ask, _NOT_SERVED))
    name: FormName = next(one for one in forms().forms if one == form)
    if notes.get("state") in {"discarded", "none"}:
        return Outcome(answered(ask, _DISCARDED if notes["state"] == "discarded" else _NONE_LEFT))
    if notes.get("wants") == "file" and notes.get("state") != "final":
        return Outcome(declined(ask, _APPROVE_FIRST))
    values = said_values(notes, form, locale)
    draft = drafted(name, values, locale)
    missing = [forms().fields[one] for one in draft.missing]
    lacking = Said(", ".join(one.ko for one in missing), ", ".join(one.en for one in missing))
    title = forms().forms[name].title
    is_final = notes.get("state") == "final"
    if notes.get("wants") in _AS_IT_IS:
        return Outcome(declined(ask, _AS_IT_IS[notes["wants"]]))
    piece = draft_evidence(draft, values, found.asking, is_final=is_final)
    lines = (Ground(Said(text, text), (piece.evidence_id,)) for text in (draft.title, *draft.paragraphs))
    answer = answered(
        ask,
        _opening(Said(title.ko, title.en), lacking, is_final=is_final, has_gaps=bool(missing)),
        evidence_ids=(piece.evidence_id,),
        grounds=tuple(lines),
        missing=tuple(Said(one.ko, one.en) for one in missing),
        next_steps=() if is_final else (_SAY,),
        cautions=(_EXPERT if name not in LETTERS else _LETTER_CAUTION,),
        documents=(_kept(draft, piece),) if is_final else (),
    )
    return Outcome(answer, evidence=(piece,))


def _kept(draft: DocumentDraft, piece: Evidence) -> FinalDocument:
    """Return a draft that was approved as a document that can be had as a file."""
    return FinalDocument(piece.evidence_id.replace("ev-", "doc-", 1), draft.title, draft.paragraphs)


def draft_evidence(
    draft: DocumentDraft, values: Mapping[str, str], asking: Asking, *, is_final: bool = False
) -> Evidence:
    """Return a draft as a typed row, which a review or an editor reads."""
    fields = {name: {"kind": field.kind, "value": values.get(name)} for name, field in forms().fields.items()}
    row = {
        "form": draft.form,
        "title": draft.title,
        "text": draft.text,
        "locale": asking.locale,
        "fields": {name: field for name, field in fields.items() if name in values or name in draft.missing},
        "missing": draft.missing,
        "approval": "given" if is_final else "required",
    }
    rows = json.dumps([row], ensure_ascii=False, separators=(",", ":")).encode()
    digest = hashlib.sha256(rows).hexdigest()
    provenance = Provenance(_SOURCE.said(asking.locale), "draft", "", b"{}", asking.now, 1, "", digest, sample=False)
    title = draft.title if is_final else asking.say(f"{draft.title} 초안", f"Draft of a {draft.title}")
    return Evidence(f"ev-{digest[:16]}", "contract", title, title, rows, DRAFT_SCHEMA, provenance)


def _opening(title: Said, lacking: Said, *, is_final: bool, has_gaps: bool) -> Said:
    if is_final:
        ko = f"{josa(title.ko.partition(' (')[0], '을/를')} 승인하신 내용으로 확정했습니다. 워드 파일(docx)로 받을 수 있습니다."
        en = f"The {title.en} is approved and final; it can be had as a Word file (docx)."
        gaps = (" 서명 전에 직접 채울 항목: {}.", " To be filled in by hand before signing: {}.")
    else:
        ko, en = f"{title.ko} 초안입니다.", f"This is a draft of a {title.en}."
        gaps = (" 아직 정해지지 않은 항목: {}.", " Still to be filled in: {}.")
    if has_gaps:
        ko, en = ko + gaps[0].format(lacking.ko), en + gaps[1].format(lacking.en)
    return Said(ko, en)


_SAY: Final = Said(
    "고칠 곳을 말씀하시거나 ‘승인’ 또는 ‘반려’라고 알려 주세요.",
    "Tell me what to change, or say “approve” or “reject”.",
)
_EXPERT: Final = Said(
    "초안이며, 서명하기 전에 공인중개사나 변호사의 확인을 받으세요.",
    "This is a draft; have an agent or a lawyer look before you sign.",
)
_LETTER_CAUTION: Final = Said(
    "보내기 전에 사실을 확인하세요. 내용증명으로 보내려면 우체국에 같은 글 세 통을 냅니다.",
    "Check the facts before you send it. Certified mail is sent at a post office in three copies.",
)
_DISCARDED: Final = Said(
    "초안을 폐기했습니다. 남아 있는 문서는 없으며, 다시 필요하면 조건을 알려 주세요.",
    "The draft is discarded and no document remains. Tell me the terms if you need another.",
)
_NONE_LEFT: Final = Said(
    "초안은 이미 폐기되어 남아 있지 않습니다. 다시 필요하면 조건을 알려 주세요.",
    "The draft was discarded and there is none left. Tell me the terms if you need another.",
)
_APPROVE_FIRST: Final = Said(
    "초안은 승인하신 뒤에 워드 파일(docx)로 받을 수 있습니다. 고칠 곳이 없으면 ‘승인’이라고 알려 주세요.",
    "A draft can be had as a Word file (docx) once you approve it. If there is nothing to change, say “approve”.",
)
_AS_IT_IS: Final = {
    "no_term": Said(
        "그런 특약은 초안에 없습니다. 기본 조항은 그대로 두고, 달리 정할 것은 특약에 적을 수 있습니다. 초안은 그대로입니다.",
        "No special term says that. The clauses of the form stay; what you agree otherwise can stand in the special terms. The draft is as it was.",
    ),
    "style": Said(
        "서식의 문체는 바꾸지 못합니다. 금액, 날짜, 이름, 고칠 것은 바꿔 드립니다. 초안은 그대로입니다.",
        "I cannot change how the form is worded; I change its sums, days, names and what is to be repaired. The draft is as it was.",
    ),
}
"""What is told of a draft that stays as it is."""
_NOT_SERVED: Final = Said(
    "그 문서는 만들지 않습니다. 전세·월세·매매 계약서와 보증금 반환·갱신 요구·계약 종료 통지서, 수리 요청서의 초안을 만들 수 있습니다.",
    "I do not draft that document. I draft jeonse, monthly-rent and sale contracts, and letters on the return of a deposit, a renewal, the end of a lease or a repair.",
)
ANSWERERS: Final = (Answerer("contract_draft", ("realty.document",), _answer),)
