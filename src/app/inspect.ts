/** The inspector, on the statecharts of this package; on request it also feeds the official XState inspector. */
import type { Result } from '../domain/failure.js';
import { type Inspector, startInspector } from '../inspector/server.js';
import { startXstateInspection } from '../inspector/xstate.js';
import { charts } from './charts.js';
import type { Runtime } from './runtime.js';

export interface InspectOptions {
  /** WebSocket address (or port on this machine) of an XState inspector that listens. */
  readonly xstateInspect?: string;
}

export async function openInspector(runtime: Runtime, options: InspectOptions = {}): Promise<Result<Inspector>> {
  const { bus, client, log, settings } = runtime;
  const machines = charts().map(({ chart }) => chart);
  const { host, port } = settings.inspector;
  const inspector = await startInspector({ bus, client, machines, host, port, log: log.logger });
  if (!inspector.ok || options.xstateInspect === undefined) return inspector;
  const feeding = await startXstateInspection({
    feed: bus.feed,
    machines,
    target: options.xstateInspect,
    log: log.logger,
  });
  if (!feeding.ok) {
    await inspector.value.close();
    return feeding;
  }
  return {
    ok: true,
    value: {
      ...inspector.value,
      async close() {
        await feeding.value.close();
        await inspector.value.close();
      },
    },
  };
}
