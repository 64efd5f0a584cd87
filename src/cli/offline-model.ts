/** The scripted model of the offline default: decisions are rules, the work is real. */
import type { Settings } from '../config/settings.js';
import { ok, type Result } from '../domain/failure.js';

export interface OfflineModel {
  /** Environment variables that lead workers to it. */
  readonly variables: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** No model is set, or the scripted one without an address. */
export const isScripted = ({ model }: Settings): boolean =>
  model.baseUrl === undefined &&
  (model.preset === 'scripted' || (model.preset === undefined && model.name === undefined));

export const modelLabel = (settings: Settings): string => {
  const { preset, name, baseUrl } = settings.model;
  if (isScripted(settings)) return 'scripted (offline)';
  return [preset ?? (baseUrl === undefined ? undefined : new URL(baseUrl).host), name]
    .filter((part) => part !== undefined)
    .join('/');
};

export async function startModel(): Promise<Result<OfflineModel>> {
  const { startScripted } = await import('../app/scripted.js');
  const started = await startScripted();
  if (!started.ok) return started;
  const { url, stop } = started.value;
  return ok({ variables: { HACT_MODEL_PRESET: 'scripted', HACT_MODEL_BASE_URL: url }, stop });
}

/** Whether the model that is set is there at all. */
export async function reach(settings: Settings): Promise<Result<void>> {
  const { reachModel } = await import('../app/check.js');
  return reachModel(settings);
}
