/** Whether the model of the settings can be reached, and whether it answers. */
import type { Settings } from '../config/settings.js';
import { fail, ok, type Result } from '../domain/failure.js';
import type { ProviderOptions } from '../llm/provider.js';
import { firstProvider, modelFrom } from './model.js';

const reachMs = 5_000;
const patienceMs = 20_000;

/**
 * Looks for mistakes that no patience would mend, before workers are started for nothing: nobody there, or a key that
 * is refused. Asks for the list of models, which costs nothing; whatever else comes back counts as reached.
 */
export async function reachModel(settings: Settings): Promise<Result<void>> {
  const provider = firstProvider(settings.model, process.env);
  if (!provider.ok) return provider;
  const { name, baseUrl, keyVariable, urlSetting, startHint } = provider.value;
  const place = `${name} (${baseUrl.replace(/\/\/[^/@]*@/, '//')})`;
  try {
    const url = `${baseUrl.replace(/\/+$/, '')}/models`;
    const { status } = await fetch(url, { headers: keysOf(provider.value), signal: AbortSignal.timeout(reachMs) });
    if (status !== 401 && status !== 403) return ok(undefined);
    return fail('model_unauthorised', `${place} refused the key (${status})`, `check ${keyVariable}`);
  } catch (error) {
    const cause = causeOf(error);
    // Whoever is slow, or does not like the question, is there all the same.
    if (!absent.test(cause)) return ok(undefined);
    const hint = `is it running, and is ${urlSetting} right?${startHint === undefined ? '' : ` ${startHint}`}`;
    return fail('model_unreachable', `${place} is not reachable: ${cause}`, hint);
  }
}

const absent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)/;

const keysOf = ({ apiKey, keyHeader }: ProviderOptions): Record<string, string> =>
  apiKey === undefined
    ? {}
    : { authorization: `Bearer ${apiKey}`, ...(keyHeader === undefined ? {} : { [keyHeader]: apiKey }) };

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? String(error);
}

/** The model's name and how long it took, in words. */
export async function checkModel(settings: Settings): Promise<Result<string>> {
  const reached = await reachModel(settings);
  if (!reached.ok) return reached;
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
