package example;

import hapju.flow.v1.FlowEventOuterClass.FlowEvent;
import hapju.flow.v1.QuestionOuterClass.OnDisconnect;
import hapju.flow.v1.QuestionOuterClass.Question;
import hapju.gateway.v1.GatewayServiceGrpc;
import hapju.gateway.v1.GatewayServiceOuterClass.AskRequest;
import hapju.gateway.v1.GatewayServiceOuterClass.CancelFlowRequest;
import hapju.gateway.v1.GatewayServiceOuterClass.StartFlowRequest;
import hapju.gateway.v1.GatewayServiceOuterClass.WatchFlowRequest;
import io.grpc.Context;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Asks hapju, hears the answer as it is written, goes on after a break, and cancels another flow. */
public final class Ask {
  private static final int BREAK_AFTER = 3;
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private String flow = "";
  private final List<Long> sequences = new ArrayList<>();
  private FlowEvent end;

  public static void main(String[] arguments) throws Exception {
    String address = System.getenv().getOrDefault("HAPJU_GATEWAY", "127.0.0.1:20050");
    String text = arguments.length > 0 ? arguments[0] : "애플 주가 추세 분석해줘";
    var channel = ManagedChannelBuilder.forTarget(address).usePlaintext().build();
    var caller = new Metadata();
    String token = System.getenv().getOrDefault("HAPJU_TOKEN", "");
    if (!token.isEmpty()) {
      caller.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    }
    var gateway = GatewayServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(caller));

    var heard = new Ask();
    heard.ask(gateway, text);
    heard.watch(gateway);
    String answer = heard.end.getFinished().getAnswer().getFinalResponse().lines().findFirst().orElse("");
    OUT.println("\nsequences " + heard.sequences.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    OUT.println("answer " + answer);

    var brief = gateway.withDeadlineAfter(30, TimeUnit.SECONDS);
    var vague = Question.newBuilder().setText("이번 달 전세 시세 알려줘").setInteractive(true);
    var begun = brief.startFlow(StartFlowRequest.newBuilder().setQuestion(vague).build());
    var request = CancelFlowRequest.newBuilder().setFlowRunId(begun.getFlowRunId()).build();
    OUT.println("cancelled " + brief.cancelFlow(request).getPhase());
    channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
  }

  /** Begins a flow that outlives its stream, and breaks the stream after a few events. */
  private void ask(GatewayServiceGrpc.GatewayServiceBlockingStub gateway, String text) {
    var question = Question.newBuilder().setText(text).setOnDisconnect(OnDisconnect.ON_DISCONNECT_CONTINUE);
    var request = AskRequest.newBuilder().setQuestion(question).build();
    try (var leaving = Context.current().withCancellation()) {
      leaving.run(() -> {
        var events = gateway.withDeadlineAfter(120, TimeUnit.SECONDS).ask(request);
        while (sequences.size() < BREAK_AFTER && events.hasNext()) {
          take(events.next().getEvent());
        }
      });
    }
  }

  /** Goes on with the flow after the last sequence that was heard. */
  private void watch(GatewayServiceGrpc.GatewayServiceBlockingStub gateway) {
    var request = WatchFlowRequest.newBuilder().setFlowRunId(flow).setAfterSequence(sequences.get(sequences.size() - 1));
    var events = gateway.watchFlow(request.build());
    while (end == null && events.hasNext()) {
      take(events.next().getEvent());
    }
  }

  private void take(FlowEvent event) {
    switch (event.getEventCase()) {
      case ACCEPTED -> flow = event.getAccepted().getFlowRunId();
      case DELTA -> OUT.print(event.getDelta().getText());
      case FINISHED, FAILED, CANCELLED -> end = event;
      default -> { }
    }
    if (event.hasSequence()) {
      sequences.add(event.getSequence());
    }
  }
}
