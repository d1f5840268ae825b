// Asks hapju as a model, by OpenAI's SDK: the answer as it is written, then what a refusal looks like.

import OpenAI from "openai";

const client = new OpenAI({ baseURL: `${process.env.HAPJU_HTTP}/v1`, apiKey: process.env.HAPJU_TOKEN ?? "none", maxRetries: 0,
  defaultHeaders: process.env.HAPJU_TOKEN ? {} : { authorization: null } });
const messages = [{ role: "user", content: process.argv[2] }];

const stream = await client.chat.completions.create({ model: "hapju", messages, stream: true });
for await (const piece of stream) process.stdout.write(piece.choices[0]?.delta.content ?? "");

try {
  await client.chat.completions.create({ model: "another", messages });
} catch (refused) {
  console.log(`\n${refused.status} ${refused.constructor.name}`);
}
