/** Clean replies of 4 to 64 KB, whole and streamed, beside `JSON.parse` and `jsonrepair` in the same run. */
import { jsonrepair } from 'jsonrepair';
import { parseReply, type ReplyInput } from '../../src/parse/reply.js';
import { createReplyStream } from '../../src/parse/stream.js';
import { leastTime, tools } from './parse-hostile.js';

const wholeBar = 50;
const streamBar = 10;
const sizes = [4, 16, 64];

const english =
  'The forecast for the week shows a slow change: mild mornings, wind from the west (up to 40 km/h), and rain on two days. ' +
  'Anything above 12 mm is reported by the station as "heavy"; the rest counts as light.\n\n' +
  '- Monday: cloudy, 14 degrees\n- Tuesday: rain, 11 degrees\n\n';
const chinese = '本周天气变化不大：早晨温和，西风，两天有雨。超过十二毫米的降雨记为“大雨”，其余记为小雨。\n\n';
const code =
  'Here is the program:\n\n```python\ndef mean(values):\n    total = sum(v["temp"] for v in values)\n' +
  '    return {"mean": total / len(values)}  # degrees\n```\n\nIt takes a list of readings and returns one figure.\n\n';
const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Ghent"}}\n</tool_call>';

const fill = (part: string, chars: number): string => part.repeat(Math.ceil(chars / part.length)).slice(0, chars);

const written = (chars: number): string => JSON.stringify({ city: fill(english, chars) });
const kinds: Readonly<Record<string, (chars: number) => Pick<ReplyInput, 'text' | 'message'>>> = {
  'prose, call at the end': (n) => ({ text: `${fill(english, n)}\n${call}` }),
  'Chinese prose, call': (n) => ({ text: `${fill(chinese, n)}\n${call}` }),
  'fenced code, call': (n) => ({ text: `${fill(code, n)}\n\`\`\`\n${call}` }),
  'reasoning, call': (n) => ({ text: `<think>${fill(english, n)}</think>\n${call}` }),
  'one large call': (n) => ({
    text: `<tool_call>\n{"name": "get_weather", "arguments": ${written(n)}}\n</tool_call>`,
  }),
  'native call': (n) => ({
    message: {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: written(n) } }],
    },
  }),
};

const warmUpMs = 200;

/** Megabytes of UTF-8 a second, warm; best of five rounds of about `roundMs`. */
function rate(bytes: number, run: () => void, roundMs = 60): number {
  const begun = performance.now();
  while (performance.now() - begun < warmUpMs) run();
  const once = leastTime(run, 20);
  const repeats = Math.max(1, Math.round(roundMs / Math.max(once, 0.001)));
  const ms = leastTime(() => {
    for (let i = 0; i < repeats; i++) run();
  }, 5);
  return (bytes * repeats) / 1000 / ms;
}

const streamedIn = (text: string, size: number): void => {
  const stream = createReplyStream({ tools });
  for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
  stream.end('stop');
};

export function throughputTable(): boolean {
  let met = true;
  console.log(`\nclean replies, MB/s (bars: whole ${wholeBar}, streamed in 4 characters ${streamBar})`);
  console.log(
    `  ${''.padEnd(26)}${['whole', 'streamed', 'JSON.parse', 'jsonrepair'].map((h) => h.padStart(12)).join('')}`,
  );
  for (const [kind, make] of Object.entries(kinds)) {
    for (const kilo of sizes) {
      const input = make(kilo * 1024);
      const json = JSON.stringify(input);
      const bytes = Buffer.byteLength(input.text ?? json);
      const whole = rate(bytes, () => parseReply({ ...input, tools, finishReason: 'stop' }));
      const { text } = input;
      const streamed = text === undefined ? undefined : rate(bytes, () => streamedIn(text, 4));
      const parse = rate(Buffer.byteLength(json), () => JSON.parse(json));
      const repair = rate(Buffer.byteLength(json), () => jsonrepair(json));
      const row = [whole, streamed, parse, repair].map((x) => (x === undefined ? '' : x.toFixed(0)).padStart(12));
      console.log(`  ${`${kind}, ${kilo} KB`.padEnd(26)}${row.join('')}`);
      met &&= whole >= wholeBar && (streamed ?? streamBar) >= streamBar;
    }
  }
  return met;
}
