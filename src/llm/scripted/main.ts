/** The scripted model as a process of its own: `node …/scripted/main.js [--port N] [--seed N] [--latency MS] [--orderly] [--script FILE]`. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { analystBrain } from './analyst.js';
import type { Brain } from './brain.js';
import { type Script, scriptBrain } from './script-brain.js';
import { startScriptedModel } from './server.js';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    latency: { type: 'string', default: '0' },
    orderly: { type: 'boolean', default: false },
    script: { type: 'string' },
  },
});

async function brain(): Promise<Brain> {
  if (values.script === undefined) return analystBrain({ seed: wholeNumber('seed'), mess: !values.orderly });
  const file = JSON.parse(await readFile(values.script, 'utf8')) as { model_script?: Script } & Script;
  return scriptBrain(file.model_script ?? file);
}

function wholeNumber(name: 'port' | 'seed' | 'latency'): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  console.error(`--${name} must be a whole number, not "${values[name]}"`);
  process.exit(2);
}

const model = await startScriptedModel({
  brain: await brain(),
  port: wholeNumber('port'),
  latencyMs: wholeNumber('latency'),
});
const stop = () => void model.stop().then(() => process.exit(0));
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// A parent that forked us takes us with it.
process.on('disconnect', stop);
process.send?.({ url: model.url });
console.log(JSON.stringify({ url: model.url }));
