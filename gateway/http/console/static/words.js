// What the console itself says, in two languages.

const WORDS = {
  ko: {
    welcome: "무엇이 궁금하세요?", ask: "묻기", flows: "흐름", agents: "에이전트와 도구", usage: "사용량", language: "English", theme: "밝기 바꾸기",
    everybody: "모두의 흐름", withheld: "질문과 답의 내용은 보이지 않습니다.", showContent: "내용 보기(열람 기록이 남습니다)",
    login: {
      denied: "로그인하지 않았습니다. 다시 시도하거나 그대로 둘러보세요.",
      failed: "로그인하지 못했습니다. 잠시 뒤 다시 시도해 주세요.",
      forbidden: "이 계정으로는 여기에 들어올 수 없습니다.",
    },
    attach: "파일 첨부(텍스트, DOCX, PDF)", attachShort: "파일", files: "첨부한 파일", remove: "빼기",
    skip: "본문으로 건너뛰기", signIn: "로그인", signOut: "로그아웃", anonymous: "로그인하지 않음", user: "사용자 이름",
    userType: "사용자 종류", consumer: "구매자", seller: "판매자", token: "토큰", cancel: "닫기",
    devNote: "개발 모드입니다. 이름만 대면 그 사용자로 묻습니다.", jwtNote: "배포가 발급한 토큰을 붙여 넣으세요.",
    question: "질문", questionHint: "예: 강남구 아파트 전세 시세 알려줘", send: "보내기", stop: "멈추기", again: "새 대화",
    you: "질문", thinking: "답을 찾고 있습니다", details: "어떻게 답했는지", sources: "출처", source: "출처 {n}: {title}",
    close: "닫기", rows: "행", chart: "그림", download: "{title} 내려받기(docx)", noRows: "행이 없습니다.", moreRows: "그 밖에 {n}행이 더 있습니다.", sample: "예시 데이터", asOf: "{day} 기준",
    next: "이어서 물을 수 있는 것", cautions: "유의할 점", waiting: "답을 기다립니다", answer: "답하기", yourAnswer: "답",
    approve: "다음 작업을 승인할까요?", until: "{time}까지 기다립니다", answered: "답했습니다", expired: "기다림이 끝났습니다",
    declined: "그만두었습니다", cancelled: "멈췄습니다. ({reason})", failed: "답하지 못했습니다.", reconnect: "연결을 다시 잇고 있습니다",
    policy: "살펴보기", understand: "이해", plan: "계획", run: "실행", review: "검토", write: "답변",
    understood: "{domain} / {intent}로 이해했습니다 (확신 {confidence})", planned: "{agents}에게 맡깁니다", nothingPlanned: "부를 에이전트가 없습니다",
    units: { krw: "원", usd: "달러", percent: "%", percentage_point: "%p", index: "", count: "건", persons: "명", ratio: "배", minutes: "분", days: "일", years: "년", m2: "㎡" },
    decided: "{service} · {kind}", by: { LLM: "모델", RULE: "규칙", FALLBACK: "대신한 규칙", TOOL: "도구", AGENT: "에이전트", ACTION: "작업" },
    toolReturned: "{tool}: {rows}행, {ms}ms", toolFailed: "{tool}: 하지 못함 ({reason})", agentDone: "{agent}: 마침, {ms}ms",
    agentOther: "{agent}: {outcome} {reason}", reviewed: "검토: {verdict} ({score})", missing: "빠진 것: {what}",
    verdict: { YES: "질문에 답이 됨", PARTIAL: "일부만 답이 됨", NO: "답이 되지 않음" },
    actionDone: "처리함: {type}", actionNot: "처리하지 않음: {type} ({outcome})",
    waterfall: "걸린 시간 보기", tokens: "토큰", cost: "비용", seconds: "{s}초", milliseconds: "{ms}ms", models: "모델 호출", tools: "도구 호출",
    list: "흐름 목록", filter: "질문에서 찾기", phase: "상태", all: "모두", started: "시작", took: "걸린 시간", more: "더 보기", none: "아직 없습니다.",
    phases: { ADMITTED: "받음", GUARDED: "살펴봄", ROUTED: "이해함", PLANNED: "계획함", EXECUTING: "실행 중", AWAITING_CONFIRMATION: "답을 기다림", REVIEWED: "검토함", SYNTHESIZING: "쓰는 중", FINISHED: "마침", FAILED: "실패", CANCELLED: "멈춤", CANCELING: "멈추는 중" },
    step: "단계", service: "서비스", kind: "정한 쪽", time: "시간", outcome: "결과", model: "모델", reasoning: "까닭", confidence: "확신", output: "내용",
    timeline: "시간 순서", dropped: "답에서 뺀 것", why: "까닭", text: "글", part: "부분", openTalk: "대화 열기", openTrace: "추적 보기", noDrops: "뺀 것이 없습니다.",
    served: "답함", notServed: "없음", intents: "맡는 일", answers: "답하는 것", declines: "맡지 않는 것", description: "설명", name: "이름",
    usageNote: "최근 흐름 {n}개를 날짜로 모은 것입니다.", day: "날짜", count: "개수", talks: "대화", deleteTalk: "대화 지우기", deleteSure: "이 대화와 그 흐름을 모두 지울까요?",
    ids: {
      policy: "살펴보기", router: "이해", planner: "계획", orchestrator: "진행", synthesizer: "작성", tool_gateway: "도구",
      policy_safety: "안전한 질문인지", intent_analysis: "질문의 뜻", question_asks: "질문에 담긴 요청", query_rewrite: "앞말로 채우기",
      query_normalization: "날짜와 금액 읽기", slot_extraction: "되물은 값 읽기", data_sufficiency_check: "앞선 자료로 되는지",
      agent_selection: "누가 답할지", query_decomposition: "나눠 맡기기", execution_strategy: "함께 할지 차례로 할지", keyword_extraction: "찾을 낱말",
      tool_orchestration: "어떤 도구를 부를지", execution_orchestration: "다음에 무엇을 할지", execution_review: "질문에 답이 되는지",
      agent_summary: "결과 요약", general_knowledge: "일반 지식", conversation_summary: "대화 요약", response_synthesis: "답변 쓰기",
      citation_postprocess: "출처 정리", data_reuse: "앞선 자료 쓰기", statement_check: "조회문 확인", query_data: "자료 조회", query_own_data: "내 자료 조회", web_search: "웹 검색",
    },
    outcomes: {
      ANSWERED: "답함", LIMITED: "일부만 답함", INSUFFICIENT_DATA: "자료가 모자람", FAILED: "하지 못함", SKIPPED: "건너뜀", CANCELLED: "멈춤",
      TIMED_OUT: "시간이 다 됨", UNREACHABLE: "닿지 않음", REUSED: "앞선 결과를 씀",
    },
    kinds: { SLOT: "되묻기", CONFIRM: "확인", APPROVAL: "승인", REUSE: "앞선 자료" },
  },
  en: {
    welcome: "What would you like to know?", ask: "Ask", flows: "Flows", agents: "Agents and tools", usage: "Usage", language: "한국어", theme: "Change brightness",
    everybody: "everybody's", withheld: "What was asked and answered is not shown.", showContent: "Show content (this is written down)",
    login: {
      denied: "You did not sign in. Try again, or look around without.",
      failed: "Signing in did not work. Please try again in a moment.",
      forbidden: "This account may not come in here.",
    },
    attach: "Attach files (text, DOCX, PDF)", attachShort: "File", files: "Attached files", remove: "remove",
    skip: "Skip to content", signIn: "Sign in", signOut: "Sign out", anonymous: "not signed in", user: "User name",
    userType: "Kind of user", consumer: "Consumer", seller: "Seller", token: "Token", cancel: "Close",
    devNote: "This is dev mode: whoever gives a name asks as that user.", jwtNote: "Paste a token that your deployment issued.",
    question: "Question", questionHint: "e.g. How has the US unemployment rate moved?", send: "Send", stop: "Stop", again: "New conversation",
    you: "Question", thinking: "Looking for an answer", details: "How this was answered", sources: "Sources", source: "Source {n}: {title}",
    close: "Close", rows: "Rows", chart: "Chart", download: "Download {title} (docx)", noRows: "There are no rows.", moreRows: "and {n} more rows.", sample: "sample data", asOf: "as of {day}",
    next: "What you may ask next", cautions: "Mind", waiting: "Waiting for you", answer: "Answer", yourAnswer: "Your answer",
    approve: "Do you approve this?", until: "Waits until {time}", answered: "Answered", expired: "The wait is over",
    declined: "Stopped", cancelled: "Stopped. ({reason})", failed: "There is no answer.", reconnect: "Connecting again",
    policy: "Check", understand: "Understand", plan: "Plan", run: "Run", review: "Review", write: "Answer",
    understood: "Understood as {domain} / {intent} (confidence {confidence})", planned: "Given to {agents}", nothingPlanned: "No agent is needed",
    units: { krw: "KRW", usd: "USD", percent: "%", percentage_point: "pp", index: "", count: "", persons: "", ratio: "×", minutes: "min", days: "days", years: "years", m2: "m²" },
    decided: "{service} · {kind}", by: { LLM: "model", RULE: "rule", FALLBACK: "rule in its stead", TOOL: "tool", AGENT: "agent", ACTION: "action" },
    toolReturned: "{tool}: {rows} rows, {ms} ms", toolFailed: "{tool}: not done ({reason})", agentDone: "{agent}: done, {ms} ms",
    agentOther: "{agent}: {outcome} {reason}", reviewed: "Review: {verdict} ({score})", missing: "Missing: {what}",
    verdict: { YES: "answers the question", PARTIAL: "answers part of it", NO: "does not answer it" },
    actionDone: "Done: {type}", actionNot: "Not done: {type} ({outcome})",
    waterfall: "Where the time went", tokens: "Tokens", cost: "Cost", seconds: "{s} s", milliseconds: "{ms} ms", models: "Model calls", tools: "Tool calls",
    list: "Flows", filter: "Find in questions", phase: "State", all: "all", started: "Started", took: "Took", more: "More", none: "Nothing yet.",
    phases: { ADMITTED: "admitted", GUARDED: "checked", ROUTED: "understood", PLANNED: "planned", EXECUTING: "running", AWAITING_CONFIRMATION: "waiting for you", REVIEWED: "reviewed", SYNTHESIZING: "writing", FINISHED: "finished", FAILED: "failed", CANCELLED: "stopped", CANCELING: "stopping" },
    step: "Step", service: "Service", kind: "Decided by", time: "Time", outcome: "Outcome", model: "Model", reasoning: "Reason", confidence: "Confidence", output: "Content",
    timeline: "Timeline", dropped: "Left out of the answer", why: "Why", text: "Text", part: "Part", openTalk: "Open the conversation", openTrace: "See its trace", noDrops: "Nothing was left out.",
    served: "Served", notServed: "Not served", intents: "In charge of", answers: "Answers", declines: "Leaves to others", description: "Description", name: "Name",
    usageNote: "The latest {n} flows, by day.", day: "Day", count: "Count", talks: "Conversations", deleteTalk: "Delete the conversation", deleteSure: "Delete this conversation with all its flows?",
    ids: {
      policy: "Check", router: "Understanding", planner: "Plan", orchestrator: "Run", synthesizer: "Writing", tool_gateway: "Tools",
      policy_safety: "whether it is safe", intent_analysis: "what is asked", question_asks: "which things are asked", query_rewrite: "filling in what was said",
      query_normalization: "reading dates and sums", slot_extraction: "reading a reply", data_sufficiency_check: "whether earlier data does",
      agent_selection: "who answers", query_decomposition: "dividing it up", execution_strategy: "together or in turn", keyword_extraction: "words to look for",
      tool_orchestration: "which tools to call", execution_orchestration: "what to do next", execution_review: "whether it is answered",
      agent_summary: "summing up", general_knowledge: "general knowledge", conversation_summary: "summing up the talk", response_synthesis: "writing the answer",
      citation_postprocess: "listing sources", data_reuse: "using earlier data", statement_check: "checking a statement", query_data: "looking up data", query_own_data: "looking up own data", web_search: "searching the web",
    },
    outcomes: {
      ANSWERED: "answered", LIMITED: "answered in part", INSUFFICIENT_DATA: "too little data", FAILED: "failed", SKIPPED: "skipped", CANCELLED: "stopped",
      TIMED_OUT: "out of time", UNREACHABLE: "not reached", REUSED: "as found before",
    },
    kinds: { SLOT: "asks back", CONFIRM: "asks to confirm", APPROVAL: "asks for approval", REUSE: "earlier data" },
  },
};

const KEPT = "hapju.language";
let language = localStorage.getItem(KEPT) ?? (navigator.language.startsWith("ko") ? "ko" : "en");

/** Returns the language that the console speaks. */
export function spoken() {
  return language;
}

/** Speaks the other language from now on. */
export function speakOther() {
  language = language === "ko" ? "en" : "ko";
  localStorage.setItem(KEPT, language);
}

/** Returns a phrase, its parts in braces put in; a path such as "phases.FINISHED" leads to one inside a table. */
export function t(path, given = {}) {
  const found = path.split(".").reduce((table, key) => table?.[key], WORDS[language]);
  return String(found ?? path.split(".").pop()).replace(/\{(\w+)\}/g, (_, name) => given[name] ?? "");
}

/** Returns a moment as people of the language write it. */
export function moment(given, options = { dateStyle: "medium", timeStyle: "medium" }) {
  return given ? new Intl.DateTimeFormat(language, options).format(new Date(given)) : "";
}

/** Returns a number as people of the language write it. */
export function number(given, digits = 2) {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(given);
}

/** Returns a figure with its unit as a chart tells it: a sum in Korean by 억 and 만, as people say it. */
export function figure(given, unit) {
  if (unit !== "krw" || language !== "ko" || Math.abs(given) < 1e4) return number(given, Math.abs(given) >= 1000 ? 0 : 2);
  const whole = Math.round(Math.abs(given) / 1e4);
  const [large, rest] = [Math.floor(whole / 1e4), whole % 1e4];
  const told = [large ? `${number(large)}억` : "", rest ? `${number(rest)}만` : ""].filter(Boolean).join(" ");
  return `${given < 0 ? "-" : ""}${told}`;
}

/** Returns a duration of the wire, such as "0.123s", in milliseconds. */
export function msOf(duration) {
  return duration ? Number.parseFloat(duration) * 1000 : 0;
}

/** Returns milliseconds as a person reads them. */
export function lasting(ms) {
  return ms >= 1000 ? t("seconds", { s: number(ms / 1000, 1) }) : t("milliseconds", { ms: number(ms, ms < 10 ? 1 : 0) });
}

/** Returns an enum's name without its prefix. */
export function bare(name, prefix) {
  return (name ?? "").replace(prefix, "");
}
