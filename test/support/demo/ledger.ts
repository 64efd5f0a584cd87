/** The tools' own book: a file to which each tool appends when it begins and when it ends. It outlives the process by SIGKILL. */
import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { EffectClass } from '../../../src/domain/effect.js';
import type { Tool } from '../../../src/tools/tool.js';

export interface LedgerLine {
  readonly event: 'began' | 'ended' | 'failed';
  /** ms since 1970. */
  readonly at: number;
  readonly pid: number;
  readonly agentId: string;
  readonly callId: string;
  readonly tool: string;
  readonly effect: EffectClass;
}

/** The same tool, which keeps the book. `now`: ms since 1970, for a process whose own clock is disturbed. */
export function booked(tool: Tool, path: string, now: () => number = Date.now): Tool {
  const { behaviour, declaration } = tool;
  if (behaviour.route !== 'tool') return tool;
  return {
    ...tool,
    behaviour: {
      route: 'tool',
      async run(args, context) {
        const { agentId, callId } = context;
        const { effect, name } = declaration;
        const note = (event: LedgerLine['event']): void => {
          const line: LedgerLine = { event, at: now(), pid: process.pid, agentId, callId, tool: name, effect };
          appendFileSync(path, `${JSON.stringify(line)}\n`);
        };
        note('began');
        try {
          const value = await behaviour.run(args, context);
          note('ended');
          return value;
        } catch (error) {
          note('failed');
          throw error;
        }
      },
    },
  };
}

export async function readLedger(path: string): Promise<LedgerLine[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerLine);
}
