// Asks hapju, hears the answer as it is written, goes on after a break, and cancels another flow.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	flow "example.com/ask/gen/hapju/flow/v1"
	pb "example.com/ask/gen/hapju/gateway/v1"
)

const breakAfter = 3

type heard struct {
	flow      string
	sequences []string
	last      int64
	end       *flow.FlowEvent
}

// take notes an event and tells whether the flow has ended.
func (h *heard) take(event *flow.FlowEvent) bool {
	switch told := event.Event.(type) {
	case *flow.FlowEvent_Accepted:
		h.flow = told.Accepted.FlowRunId
	case *flow.FlowEvent_Delta:
		fmt.Print(told.Delta.Text)
	case *flow.FlowEvent_Finished, *flow.FlowEvent_Failed, *flow.FlowEvent_Cancelled:
		h.end = event
	}
	if event.Sequence != nil {
		h.last = *event.Sequence
		h.sequences = append(h.sequences, fmt.Sprint(h.last))
	}
	return h.end != nil
}

func main() {
	address, question := "127.0.0.1:20050", "애플 주가 추세 분석해줘"
	if given := os.Getenv("HAPJU_GATEWAY"); given != "" {
		address = given
	}
	if len(os.Args) > 1 {
		question = os.Args[1]
	}
	channel, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(err)
	defer channel.Close()
	gateway := pb.NewGatewayServiceClient(channel)
	caller := context.Background()
	if token := os.Getenv("HAPJU_TOKEN"); token != "" {
		caller = metadata.AppendToOutgoingContext(caller, "authorization", "Bearer "+token)
	}

	told := ask(caller, gateway, question)
	watch(caller, gateway, told)
	answer := told.end.GetFinished().GetAnswer().GetFinalResponse()
	fmt.Printf("\nsequences %s\nanswer %s\n", strings.Join(told.sequences, " "), strings.Split(answer, "\n")[0])

	brief, cancel := context.WithTimeout(caller, 30*time.Second)
	defer cancel()
	vague := &flow.Question{Text: "이번 달 전세 시세 알려줘", Interactive: true}
	begun, err := gateway.StartFlow(brief, &pb.StartFlowRequest{Question: vague})
	must(err)
	ended, err := gateway.CancelFlow(brief, &pb.CancelFlowRequest{FlowRunId: begun.FlowRunId})
	must(err)
	fmt.Println("cancelled", ended.Phase)
}

// ask begins a flow that outlives its stream, and breaks the stream after a few events.
func ask(caller context.Context, gateway pb.GatewayServiceClient, text string) *heard {
	leaving, leave := context.WithTimeout(caller, 2*time.Minute)
	defer leave()
	question := &flow.Question{Text: text, OnDisconnect: flow.OnDisconnect_ON_DISCONNECT_CONTINUE}
	stream, err := gateway.Ask(leaving, &pb.AskRequest{Question: question})
	must(err)
	told := &heard{}
	for told.last < breakAfter {
		message, err := stream.Recv()
		must(err)
		told.take(message.Event)
	}
	return told
}

// watch goes on with the flow after the last sequence that was heard.
func watch(caller context.Context, gateway pb.GatewayServiceClient, told *heard) {
	stream, err := gateway.WatchFlow(caller, &pb.WatchFlowRequest{FlowRunId: told.flow, AfterSequence: told.last})
	must(err)
	for {
		message, err := stream.Recv()
		must(err)
		if told.take(message.Event) {
			return
		}
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
