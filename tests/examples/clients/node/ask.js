// Asks hapju, hears the answer as it is written, goes on after a break, and cancels another flow.

import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const PROTOS = process.env.HAPJU_PROTOS ?? "../../../../protos";
const ADDRESS = process.env.HAPJU_GATEWAY ?? "127.0.0.1:20050";
const BREAK_AFTER = 3;
const ENDS = new Set(["finished", "failed", "cancelled"]);

const definition = loader.loadSync("hapju/gateway/v1/gateway_service.proto", {
  includeDirs: [PROTOS], keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true,
});
const { GatewayService } = grpc.loadPackageDefinition(definition).hapju.gateway.v1;
const gateway = new GatewayService(ADDRESS, grpc.credentials.createInsecure());
const caller = new grpc.Metadata();
if (process.env.HAPJU_TOKEN) caller.set("authorization", `Bearer ${process.env.HAPJU_TOKEN}`);
const within = (seconds) => ({ deadline: Date.now() + seconds * 1000 });

/** Hears a stream until the flow's end, or until `leave` says so; returns the flow, the last sequence and the answer. */
async function hear(stream, heard, leave = () => false) {
  try {
    for await (const { event } of stream) {
      if (event.event === "accepted") heard.flow = event.accepted.flow_run_id;
      if (event.event === "delta") process.stdout.write(event.delta.text);
      if (event.sequence) heard.sequences.push(event.sequence);
      if (ENDS.has(event.event)) heard.end = event;
      if (heard.end || leave(heard)) break;
    }
  } finally {
    stream.cancel();
  }
  return heard;
}

const question = { text: process.argv[2] ?? "애플 주가 추세 분석해줘", on_disconnect: "ON_DISCONNECT_CONTINUE" };
const heard = { flow: "", sequences: [], end: null };
await hear(gateway.Ask({ question }, caller, within(120)), heard, ({ sequences }) => sequences.at(-1) >= BREAK_AFTER);
await hear(gateway.WatchFlow({ flow_run_id: heard.flow, after_sequence: heard.sequences.at(-1) }, caller), heard);
if (heard.end.event !== "finished") throw new Error(`${heard.end.event}: ${JSON.stringify(heard.end)}`);
console.log(`\nsequences ${heard.sequences.join(" ")}`);
console.log(`answer ${heard.end.finished.answer.final_response.split("\n")[0]}`);

const call = (name, request) => new Promise((resolve, reject) => {
  gateway[name](request, caller, within(30), (error, response) => (error ? reject(error) : resolve(response)));
});
const vague = await call("StartFlow", { question: { text: "이번 달 전세 시세 알려줘", interactive: true } });
console.log(`cancelled ${(await call("CancelFlow", { flow_run_id: vague.flow_run_id })).phase}`);
gateway.close();
