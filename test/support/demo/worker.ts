/** A worker of the demo as a process of its own, with the built-in roles; its tools keep the ledger. `node worker.js ROLE LEDGER SETTINGS` */
import { builtInAgents } from '../../../src/app/roles.js';
import { startWorker } from '../../../src/index.js';
import { booked } from './ledger.js';

const [role = '', ledger = '', settings = '{}'] = process.argv.slice(2);
const worker = await startWorker({
  roles: [role],
  agents: builtInAgents([]).map((agent) => ({ ...agent, tools: agent.tools.map((tool) => booked(tool, ledger)) })),
  settings: JSON.parse(settings) as Record<string, unknown>,
});
process.on('SIGTERM', () => void worker.stop().then(() => process.exit(0)));
process.on('disconnect', () => process.exit(1));
process.send?.({ ready: worker.hostId });
