/** Every statechart that Hermes runs, for whoever wants to draw, document or check them all. */
import type { AnyStateMachine } from 'xstate';
import { agentMachine } from './agent.js';
import { machineVersion } from './version.js';

export interface ListedMachine {
  readonly name: string;
  /** As journals carry it. */
  readonly version: number;
  readonly machine: AnyStateMachine;
}

export const machines: readonly ListedMachine[] = [
  { name: agentMachine.id, version: machineVersion, machine: agentMachine },
];
