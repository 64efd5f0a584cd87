/** Ways to put a fault between a process and one of its ports. */
import type { Bucket, Bus, Inbox, Journal } from '../../../src/bus/contract.js';
import { ok } from '../../../src/domain/failure.js';
import type { JournalRecord } from '../../../src/domain/journal.js';
import type { Message } from '../../../src/domain/message.js';
import type { Tool, ToolContext } from '../../../src/tools/tool.js';
import { noSeams, type Seams } from '../cast/stage.js';

export const onBus = (change: (bus: Bus) => Partial<Bus>): Seams => ({
  ...noSeams,
  bus: (bus) => ({ ...bus, ...change(bus) }),
});

export const onJournal = (change: (journal: Journal) => Partial<Journal>): Seams =>
  onBus(({ journal }) => ({ journal: { ...journal, ...change(journal) } }));

export const onInbox = (change: (inbox: Inbox) => Partial<Inbox>): Seams =>
  onBus(({ inbox }) => ({ inbox: { ...inbox, ...change(inbox) } }));

export const onBucket = (name: keyof Bus['buckets'], change: (bucket: Bucket) => Partial<Bucket>): Seams =>
  onBus(({ buckets }) => ({ buckets: { ...buckets, [name]: { ...buckets[name], ...change(buckets[name]) } } }));

/** What is appended is another record than the host believes. */
export const appending = (change: (record: JournalRecord) => JournalRecord): Seams =>
  onJournal(({ append }) => ({ append: (agentId, record, after) => append(agentId, change(record), after) }));

/** What is read back is another record than was stored. */
export const readingBack = (change: (record: JournalRecord) => JournalRecord): Seams =>
  onJournal(({ read }) => ({
    read: async (agentId, after) => {
      const records = await read(agentId, after);
      return records.ok ? ok(records.value.map(({ seq, value }) => ({ seq, value: change(value) }))) : records;
    },
  }));

/** Messages of a type are said to be stored, and are not. */
export const losing = (type: Message['type']): Seams =>
  onInbox(({ put }) => ({
    put: (agentId, message) => (message.type === type ? Promise.resolve(ok(1)) : put(agentId, message)),
  }));

export const sending = (change: (message: Message) => Message): Seams =>
  onInbox(({ put }) => ({ put: (agentId, message) => put(agentId, change(message)) }));

/** Whatever is done with a tool's arguments and context before it runs, and with its outcome. */
export const runningTools = (
  change: (run: (context: ToolContext) => unknown, context: ToolContext, tool: Tool) => unknown,
): Seams => ({
  ...noSeams,
  tool: (tool) => {
    const { behaviour } = tool;
    if (behaviour.route !== 'tool') return tool;
    return {
      ...tool,
      behaviour: {
        route: 'tool',
        run: (args, context) => change((with_) => behaviour.run(args, with_), context, tool),
      },
    };
  },
});

/** Both at once. */
export const together = (one: Seams, other: Seams): Seams => ({
  bus: (bus, process) => other.bus(one.bus(bus, process), process),
  clock: (clock) => other.clock(one.clock(clock)),
  model: (model) => other.model(one.model(model)),
  tool: (tool) => other.tool(one.tool(tool)),
});
