/** The model of the settings: where it is, what is known of it, and whom to turn to when it cannot answer. */
import type { Settings } from '../config/settings.js';
import { ok, type Result } from '../domain/failure.js';
import { createModel, type ModelClient } from '../llm/create.js';
import { free, listPrice } from '../llm/price.js';
import { commonQuirks, type ProviderOptions } from '../llm/provider.js';

export async function modelFrom(settings: Settings): Promise<Result<ModelClient>> {
  const { model } = settings;
  const provider: ProviderOptions = {
    name: 'custom',
    baseUrl: model.baseUrl ?? '',
    model: model.name ?? 'scripted',
    apiKey: model.apiKey,
    keyVariable: 'OPENAI_API_KEY',
    urlSetting: 'HACT_MODEL',
    startHint: undefined,
    keyHeader: undefined,
    windowTokens: model.windowTokens ?? 128000,
    maxOutputTokens: 8192,
    price: listPrice(model.name ?? '') ?? free,
    stream: model.stream,
    reasoningEffort: undefined,
    quirks: commonQuirks,
  };
  return ok(await createModel({ providers: [provider] }));
}
