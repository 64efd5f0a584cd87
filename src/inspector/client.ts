/** What the inspector asks of the client of control: looking at tasks, and steering them. */
import type { Client } from '../control/client.js';

export type InspectorClient = Pick<
  Client,
  'list' | 'get' | 'approvals' | 'pause' | 'resume' | 'correct' | 'cancel' | 'decide' | 'answer'
>;
