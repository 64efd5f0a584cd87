/** One agent in each state of the chart, for what must hold in every state. */
import { type Agent, begin } from './agent.js';
import { delegation, question, risky, tool } from './fixtures.js';

interface Setting {
  /** As `Agent.state` names it. */
  readonly state: string;
  readonly at: () => Agent;
  /** Told apart where one state has several settings. */
  readonly because?: string;
}

const stuck = (): Agent => {
  const agent = begin();
  for (let n = 0; n < 3; n += 1) agent.perceived().called([tool()], { actionHash: 'same' }).toolsRan('ok');
  return agent;
};

export const settings: readonly Setting[] = [
  { state: 'perceive', at: () => begin() },
  { state: 'perceive', because: 'later', at: () => begin().round() },
  { state: 'decide', at: () => begin().perceived() },
  {
    state: 'act.running',
    at: () =>
      begin()
        .perceived()
        .called([tool(), tool('list')]),
  },
  { state: 'parked', because: 'approval', at: () => begin().perceived().called([risky()]) },
  { state: 'parked', because: 'question', at: () => begin().perceived().called([question()]) },
  { state: 'parked', because: 'child', at: () => begin().perceived().called([delegation()]) },
  { state: 'parked', because: 'pause', at: () => begin().paused().perceived() },
  { state: 'reflect', at: () => begin({ policy: { reflectEvery: 1, reflectTokens: 300 } }).round() },
  { state: 'terminate.grace', at: stuck },
  { state: 'terminate.gather', at: () => begin().perceived().called([delegation()]).cancelled() },
  { state: 'terminate.report', at: () => begin().perceived().answered() },
];
