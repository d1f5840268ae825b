"""What the orchestrator itself says to the user, in Korean and English."""

from typing import Final

from services.catalog.loader import catalog
from services.contract.asks import Said

_TEXTS: Final[dict[str, tuple[str, str]]] = {
    "blank": ("질문을 입력해주세요.", "Please enter a question."),
    "files_not_served": (
        "보내 주신 파일에서 도와드릴 내용을 찾지 못했습니다: {names}. 파일로 도와드리는 것: {kinds}.",
        "I found nothing that I can help with in the file: {names}. What I do with files: {kinds}.",
    ),
    "files_unread": (
        "이 답에는 보내 주신 파일을 쓰지 않았습니다: {names}. 파일로 도와드리는 것: {kinds}.",
        "The file was not used for this answer: {names}. What I do with files: {kinds}.",
    ),
    "no_files": ("없음", "nothing"),
    "report": ("보고서", "Report"),
    "queued": (
        "이 대화의 앞선 질문에 답한 다음 이어서 답하겠습니다.",
        "I answer your earlier question of this conversation first.",
    ),
    "conversation_long": (
        "대화가 길어 일부는 줄이거나 빼고 살펴봅니다.",
        "The conversation is long: parts of it are shortened or left out.",
    ),
    "checking": ("질문을 살펴보고 있습니다.", "Looking at your question."),
    "planning": ("어떻게 답할지 정하고 있습니다.", "Working out how to answer."),
    "writing": ("답변을 작성하고 있습니다.", "Writing the answer."),
    "not_available": (
        "이 질문에 답하는 데 필요한 기능({agents})은 이 서비스에서 아직 제공되지 않습니다.",
        "What this question needs ({agents}) is not available in this deployment.",
    ),
    "partly_available": (
        "일부 기능({agents})은 이 서비스에서 제공되지 않아, 가능한 범위에서 답했습니다.",
        "Part of what this needs ({agents}) is not available in this deployment; the answer covers the rest.",
    ),
    "offer": ("대신 이런 질문에는 답할 수 있습니다:", "You can ask, for example:"),
    "agent_lost": (
        "다음 내용은 끝까지 확인하지 못해 답에 들어 있지 않습니다: {part}",
        "This part could not be finished and is missing from the answer: {part}",
    ),
    "little_found": (
        "다음 내용은 찾은 자료가 적어 일부만 답했습니다: {part}",
        "Only few data was found for this part, which is therefore answered in part: {part}",
    ),
    "looking_instead": ("대신 다른 자료({other})를 찾아봅니다.", "Looking at something else in its place: {other}"),
    "looked_instead": (
        "확인하지 못한 내용 대신 다른 자료({other})를 찾아보았습니다.",
        "In place of what could not be read, this was looked at: {other}",
    ),
    "missing_part": ("다음 내용은 결과를 얻지 못했습니다: {part}", "There is no result for this part: {part}"),
    "not_answered": (
        "찾은 자료는 질문하신 내용에 대한 답이 되지 못합니다.",
        "What was found does not answer your question.",
    ),
    "answered_in_part": (
        "찾은 자료로는 질문하신 내용의 일부만 답할 수 있습니다.",
        "What was found answers your question only in part.",
    ),
    "once_more": (
        "찾은 자료로는 답이 되지 않아 더 넓게 다시 찾아봅니다.",
        "What was found does not answer this; looking again, more widely.",
    ),
    "synthesis_lost": (
        "답변을 다듬는 단계가 실패해, 확인된 결과를 그대로 전합니다.",
        "The answer could not be composed, so here are the results as they are.",
    ),
    "reuse_used": (
        "앞서 찾은 자료({what})를 그대로 씁니다. {age} 전에 찾은 것입니다.",
        "Using what was found {age} ago ({what}).",
    ),
    "reuse_partly": (
        "앞서 찾은 자료({what})는 그대로 쓰고 나머지만 새로 찾습니다.",
        "Using what was found before ({what}) and looking up the rest.",
    ),
    "reuse_searched": (
        "앞서 찾은 자료로는 부족해 새로 찾습니다.",
        "What was found before is not enough; looking it up.",
    ),
    "reuse_aged": ("{age} 전에 찾은 자료로 답했습니다.", "This rests on data that was looked up {age} ago."),
    "reuse_question": (
        "{age} 전에 찾은 자료({what})가 있습니다. 그대로 쓸까요, 새로 찾을까요?",
        "There is data from {age} ago ({what}). Use it, or look it up anew?",
    ),
    "use_previous_label": ("그대로 쓰기", "Use it"),
    "use_previous_description": ("앞서 찾은 자료로 바로 답합니다.", "Answer at once with the earlier data."),
    "search_new_label": ("새로 찾기", "Look it up"),
    "search_new_description": ("지금 자료를 다시 조회합니다.", "Read the data again now."),
    "days": ("{count}일", "{count} days"),
    "day": ("하루", "a day"),
    "hours": ("{count}시간", "{count} hours"),
    "hour": ("1시간", "an hour"),
    "minutes": ("{count}분", "{count} minutes"),
    "minute": ("1분", "a minute"),
    "moment": ("조금", "a moment"),
    "nothing_found": ("답할 수 있는 결과를 얻지 못했습니다.", "There is no result to answer with."),
    "rule_decided": (
        "모델이 응답하지 못해({reason}) 정해진 규칙으로 판단했습니다.",
        "The model gave no usable answer ({reason}); the fixed rule decided instead.",
    ),
    "budget_spent": (
        "이 질문에 쓸 수 있는 모델 사용량이 끝나({reason}) 정해진 규칙으로 이어갑니다.",
        "The model allowance of this question is used up ({reason}); fixed rules go on.",
    ),
    "too_many_questions": (
        "여쭤볼 것이 많아 여기서 멈춥니다. 필요한 내용을 한 번에 적어 다시 질문해 주세요.",
        "That would take more questions than I may ask. Please ask again with all the details in one message.",
    ),
    "unreadable_answer": (
        "답변을 알아듣지 못해 여기서 멈춥니다. 원하시는 내용을 다시 질문해 주세요.",
        "I could not make out your answer, so I stop here. Please ask again.",
    ),
    "approve": ("이대로 진행할까요? {action}", "Shall I go ahead with this? {action}"),
    "action_done": ("요청하신 작업({action})을 처리했습니다.", "The action was done: {action}."),
    "action_refused": (
        "요청하신 작업({action})은 처리할 수 없어 하지 않았습니다.",
        "The action could not be done, and nothing was changed: {action}.",
    ),
    "action_not_prepared": (
        "요청하신 작업을 준비하지 못해 하지 않았습니다.",
        "What you wanted done could not be prepared, and nothing was changed.",
    ),
    "action_value_out_of_range": (
        "말씀하신 값이 할 수 있는 범위를 벗어나 하지 않았습니다. 바뀐 것은 없습니다.",
        "The value that you named is outside what can be done, so it was not done and nothing was changed.",
    ),
    "action_invalid_format": (
        "말씀하신 번호나 주소는 쓸 수 있는 형식이 아니어서 하지 않았습니다. 바뀐 것은 없습니다. 다시 확인해 주세요.",
        "A number or an address that you named is not written as one, so nothing was done or changed. Please check it.",
    ),
    "action_unauthorized": (
        "본인의 것이 아니거나 하실 수 있는 일이 아니어서 하지 않았습니다. 바뀐 것은 없습니다.",
        "It is not yours, or nothing that you may do, so it was not done and nothing was changed.",
    ),
    "action_rejected": (
        "승인하지 않으셔서 작업({action})을 하지 않았습니다.",
        "You did not approve the action, so it was not done: {action}.",
    ),
    "action_awaiting_approval": (
        "작업({action})은 승인이 있어야 하므로 아직 하지 않았습니다.",
        "The action needs your approval and has not been done: {action}.",
    ),
    "action_in_doubt": (
        "작업({action})이 처리되었는지 아직 확인되지 않았습니다. 다시 요청하지 말고 잠시 뒤 확인해 주세요.",
        "It is not yet known whether the action was done: {action}. Please check again before you repeat it.",
    ),
    "nothing_waits": (
        "지금 승인이나 대답을 기다리는 일이 없습니다. 무엇을 할지 말씀해 주세요.",
        "Nothing waits for your approval or answer now. What would you like me to do?",
    ),
    "nothing_changed": (
        "알겠습니다. 진행하거나 바꾼 것은 없습니다. 다른 것이 필요하면 말씀해 주세요.",
        "All right. Nothing was done or changed. Tell me if there is anything else.",
    ),
    "action_let_be": (
        "알겠습니다. 진행하지 않았고, 바뀐 것은 없습니다.",
        "All right, it was not done and nothing was changed.",
    ),
    "action_already": ("이미 처리된 일입니다.", "That is done already."),
    "shown_anew": (
        "그 사이 내용이 바뀌었거나 승인할 수 있는 시간이 지나 다시 보여 드립니다.",
        "It has changed, or the time to approve it was over, so here it is again.",
    ),
    "outcome_done": (
        "앞서 확인되지 않았던 작업은 처리된 것으로 확인되었습니다.",
        "What was not known before is now: the action was done.",
    ),
    "outcome_refused": (
        "요청하신 작업은 처리되지 않았고, 바뀐 것은 없습니다.",
        "The action was not done, and nothing was changed.",
    ),
    "outcome_in_doubt": (
        "처리되었는지 아직 확인되지 않았습니다. 다시 요청하지 말고 잠시 뒤 물어봐 주세요. 확인되는 대로 알려 드립니다.",
        "It is not yet known whether it was done. Please do not repeat it; ask again in a moment and I will tell you.",
    ),
    "deadline": ("주어진 시간 안에 답을 마치지 못했습니다.", "The answer was not ready in the given time."),
    "plan_refused": (
        "이 질문에 답할 계획이 정해진 한도를 벗어나 실행하지 않았습니다.",
        "The plan for this question was outside its limits and was not run.",
    ),
    "unavailable": (
        "지금은 서비스 일부에 연결할 수 없습니다. 잠시 뒤에 다시 시도해 주세요.",
        "A part of the service cannot be reached now. Please try again in a moment.",
    ),
    "not_resumable": (
        "서비스가 바뀌어 이 질문을 이어서 처리할 수 없습니다. 다시 질문해 주세요.",
        "The service has changed and cannot go on with this question. Please ask again.",
    ),
    "internal": ("처리 중 문제가 생겼습니다.", "Something went wrong while answering."),
}


def say(locale: str, name: str, **values: str) -> str:
    """Return a text in a language, "ko" or "en", with its values filled in."""
    korean, english = _TEXTS[name]
    return (korean if locale == "ko" else english).format(**values)


def both(name: str) -> Said:
    """Return a text in both languages."""
    return Said(*_TEXTS[name])


def yes_no(locale: str) -> tuple[str, str]:
    """Return the two answers to a question that takes a yes or a no."""
    return ("네", "아니요") if locale == "ko" else ("yes", "no")


def what(agent: str, locale: str) -> str:
    """Return what an agent answers, as a user reads it: its id is ours, and so are the words of its task."""
    return catalog().agent(agent).answers.of(locale)


def model_missing(locale: str, reason: str) -> str:
    """Return why a rule decided where a model should have."""
    return say(locale, "budget_spent" if reason.endswith("_SPENT") else "rule_decided", reason=reason)
