#!/bin/sh
# Asks hapju over HTTP, breaks the stream after the third event, goes on where it was, and cancels another flow.
set -eu
HTTP=${HAPJU_HTTP:-http://127.0.0.1:8080}
QUESTION=${1:-애플 주가 추세 분석해줘}
post() { curl -sS --fail-with-body -H "authorization: ${HAPJU_TOKEN:+Bearer $HAPJU_TOKEN}" -H 'content-type: application/json' "$@"; }

# The events up to the id that ends in :3; the flow goes on without us.
begun=$(post -N "$HTTP/v1/ask" -H 'accept: text/event-stream' -d "{\"text\": \"$QUESTION\"}" | sed '/^id: .*:3$/q')
last=$(printf '%s\n' "$begun" | sed -n 's/^id: //p' | tail -n 1)
flow=${last%%:*}
rest=$(post -N "$HTTP/v1/flows/$flow/events" -H "last-event-id: $last")
printf 'sequences %s\n' "$(printf '%s\n%s\n' "$begun" "$rest" | sed -n 's/^id: .*:\([1-9][0-9]*\)$/\1/p' | tr '\n' ' ')"
printf 'answer %s\n' "$(printf '%s\n' "$rest" | sed -n 's/.*"final_response": *"\([^"\\]*\).*/\1/p' | tail -n 1)"

vague=$(post "$HTTP/v1/flows" -d '{"text": "이번 달 전세 시세 알려줘", "interactive": true}')
id=$(printf '%s' "$vague" | sed 's/.*"flow_run_id": *"\([^"]*\)".*/\1/')
printf 'cancelled %s\n' "$(post -X POST "$HTTP/v1/flows/$id/cancel" | sed 's/.*"phase": *"\([^"]*\)".*/\1/')"
