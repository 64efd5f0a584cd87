/** The hot path of the runtime: a message with one small native call, beside parsing its arguments and nothing else. */
import { parseReply } from '../../src/parse/reply.js';
import { leastTime, tools } from './parse-hostile.js';

const repeats = 20_000;

export function nativeTable(): boolean {
  const args = '{"city":"Ghent"}';
  const message = {
    role: 'assistant' as const,
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function' as const, function: { name: 'get_weather', arguments: args } }],
  };
  const micro = (run: () => void): number =>
    (leastTime(() => {
      for (let i = 0; i < repeats; i++) run();
    }, 7) /
      repeats) *
    1000;
  const ours = micro(() => parseReply({ message, tools, finishReason: 'tool_calls' }));
  const plain = micro(() => JSON.parse(args));
  console.log('\none small native call');
  console.log(`  parseReply ${ours.toFixed(2)} µs   JSON.parse of its arguments ${plain.toFixed(2)} µs`);
  return true;
}
