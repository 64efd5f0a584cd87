/** Whether the model of the settings answers: one call of a few tokens. */
import type { Settings } from '../config/settings.js';
import { ok, type Result } from '../domain/failure.js';
import { modelFrom } from './model.js';

const patienceMs = 20_000;

/** The model's name and how long it took, in words. */
export async function checkModel(settings: Settings): Promise<Result<string>> {
  const model = await modelFrom(settings);
  if (!model.ok) return model;
  const started = performance.now();
  const reply = await model.value.call(
    {
      messages: [{ role: 'user', content: 'Answer with the word "ok".' }],
      tools: [],
      maxOutputTokens: 16,
      temperature: 0,
    },
    { signal: AbortSignal.timeout(patienceMs) },
  );
  await model.value.close();
  if (!reply.ok) return reply;
  return ok(`${model.value.name} answered in ${Math.round(performance.now() - started)} ms`);
}
