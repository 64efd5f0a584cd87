/** The offline model: a small HTTP server of ours that speaks the OpenAI protocol. */
import type { Settings } from '../config/settings.js';
import { fail, type Result } from '../domain/failure.js';

export interface ScriptedModel {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startScripted(_settings: Settings): Promise<Result<ScriptedModel>> {
  return fail(
    'model_unreachable',
    'the scripted model is not part of this build',
    'set HACT_MODEL and OPENAI_BASE_URL',
  );
}
