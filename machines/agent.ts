/**
 * The statechart of every agent, planner and executor alike.
 *
 * Pure: effects are invoked by name and carried out by the host; guards and assigns use neither clock nor randomness.
 * `perceive` and `report` only compute and are done at once; the outcome of every other effect is journalled.
 */
import { and, assign, fromPromise, not, setup } from 'xstate';
import { type Failure, failure } from '../src/domain/failure.js';
import type { Delivery } from '../src/domain/journal.js';
import { type AgentContext, type AgentInput, createContext } from './context.js';
import { ordersToSend, planSubtasks, recordReport, releaseOrders } from './delegation.js';
import * as ending from './ending.js';
import type { AgentEvent, DoneEvent, InboxEvent, Outcomes, PoisonedEvent } from './event.js';
import { unheeded } from './event.js';
import * as round from './round.js';
import * as slice from './slice.js';
import * as spending from './spending.js';
import * as steering from './steering.js';
import * as waiting from './waiting.js';

const stub = <K extends keyof Outcomes>(name: K) =>
  fromPromise<Outcomes[K], unknown>(() => Promise.reject(new Error(`effect ${name} is carried out by the host`)));

type Args = { context: AgentContext; event: unknown };
/** Done events are typed by the effect's name; XState hands them to named actions untyped. */
const done = <K extends keyof Outcomes>(event: unknown, _effect: K) => event as DoneEvent<K>;
const taken = <T extends InboxEvent['type']>(event: unknown, _type: T) => event as Extract<InboxEvent, { type: T }>;
const broken = (event: unknown): Failure => {
  const { error, failure: cause } = event as { error?: unknown; failure?: Failure };
  return cause ?? failure('internal', String(error ?? 'unknown'));
};
const plannedCall = ({ context, event }: Args) => spending.nextCall(context, done(event, 'perceive').output);
const decision = ({ event }: Args) => done(event, 'decide').output;
const assigned = (change: (args: Args) => AgentContext) =>
  assign<AgentContext, AgentEvent, undefined, AgentEvent, never>((args) => change(args));

export const agentMachine = setup({
  types: {} as { context: AgentContext; input: AgentInput; events: AgentEvent },
  actors: {
    perceive: stub('perceive'),
    decide: stub('decide'),
    callTools: stub('callTools'),
    reflect: stub('reflect'),
    grace: stub('grace'),
    report: stub('report'),
  },
  guards: {
    paused: ({ context }) => context.paused,
    late: ({ context, event }) => done(event, 'perceive').at >= context.deadlineAt,
    unaffordable: (args) => !plannedCall(args).affordable,
    cannotRepeat: ({ context }) => spending.lackingToRepeat(context) !== undefined,
    answered: (args) => decision(args).kind === 'final',
    calling: (args) => decision(args).kind === 'calls',
    lastCall: ({ context }) => context.last !== undefined,
    finishing: (args) => {
      const reply = decision(args);
      return reply.kind === 'calls' && reply.calls.some((call) => call.action.route === 'finish');
    },
    mayAskAgain: (args) => round.mayAskAgain(args.context, decision(args)),
    hasReadyCalls: ({ context }) => round.readyCalls(context).length > 0,
    isWaiting: ({ context }) => round.isWaiting(context),
    mustDecide: ({ context }) => round.mustDecide(context),
    hasOpenRound: ({ context }) => context.open.length > 0,
    hasFinished: ({ context }) => round.hasFinished(context),
    isRepeating: ({ context }) => round.isRepeating(context),
    isBeyondCorrection: ({ context }) => round.isBeyondCorrection(context),
    reflectionDue: ({ context }) => round.isReflectionDue(context) && steering.canReflect(context),
    wantsGrace: ({ context }) => ending.wantsGrace(context),
    gathers: ({ context }) => ending.gathers(context),
    isGathered: ({ event }) => ending.isGathered(taken(event, 'timer.fired')),
    isDeadline: ({ context, event }) => waiting.isDeadline(context, taken(event, 'timer.fired')),
    isTooLateForGrace: ({ context, event }) => ending.isTooLateForGrace(context, taken(event, 'timer.fired')),
  },
  actions: {
    /** Hands messages to the outbox. Carried out by the host. */
    deliver: (_, _params: { deliveries: Delivery[] }) => {},
    reserveDecision: assigned(({ context, event }) =>
      spending.reserveDecision(context, done(event, 'perceive').output),
    ),
    recordDecision: assigned(({ context, event }) =>
      round.recordDecision(context, done(event, 'decide').output, done(event, 'decide').ref),
    ),
    planSubtasks: assigned(({ context, event }) => {
      const { output, ref, at } = done(event, 'decide');
      return output.kind === 'calls' ? planSubtasks(context, output.calls, ref, at) : context;
    }),
    steerSubtasks: assigned(({ context, event }) => {
      const { output, ref, at } = done(event, 'decide');
      return output.kind === 'calls' ? slice.steerSubtasks(context, output.calls, ref, at) : context;
    }),
    changeSlice: assigned(({ context, event }) => slice.changeSlice(context, taken(event, 'slice.changed'))),
    changeSubtask: assigned(({ context, event }) => slice.changeSubtask(context, taken(event, 'subtask.budget'))),
    releaseOrders: assigned(({ context }) => releaseOrders(context)),
    reserveTools: assigned(({ context }) => round.reserveTools(context)),
    recordTools: assigned(({ context, event }) => {
      const { output, ref } = done(event, 'callTools');
      return round.recordTools(context, output.results, ref);
    }),
    closeRound: assigned(({ context }) => round.closeRound(context)),
    reserveReflection: assigned(({ context }) => steering.reserveReflection(context)),
    recordReflection: assigned(({ context, event }) =>
      steering.recordReflection(context, done(event, 'reflect').output, done(event, 'reflect').ref),
    ),
    loseReflection: assigned(({ context }) => steering.loseReflection(context)),
    chargeLost: assigned(({ context }) => spending.chargeLost(context)),
    recordReport: assigned(({ context, event }) => {
      const { report, ref } = taken(event, 'child.reported');
      return recordReport(context, report, ref);
    }),
    recordHumanDecision: assigned(({ context, event }) =>
      waiting.recordHumanDecision(context, taken(event, 'human.decided')),
    ),
    recordAnswer: assigned(({ context, event }) => waiting.recordAnswer(context, taken(event, 'human.answered'))),
    recordTimeout: assigned(({ context, event }) => waiting.recordTimeout(context, taken(event, 'timer.fired'))),
    recordCorrection: assigned(({ context, event }) =>
      steering.recordCorrection(context, taken(event, 'human.corrected')),
    ),
    changeBudget: assigned(({ context, event }) => steering.changeBudget(context, taken(event, 'budget.changed'))),
    pause: assigned(({ context }) => ({ ...context, paused: true })),
    resume: assigned(({ context }) => ({ ...context, paused: false })),
    setDeadlineTimer: assigned(({ context }) => ({ ...context, timed: true })),
    useGrace: assigned(({ context }) => ({
      ...spending.reserveCall(context, 'grace', spending.graceBound(context)),
      graceUsed: true,
    })),
    recordGrace: assigned(({ context, event }) =>
      ending.recordGrace(context, done(event, 'grace').output, done(event, 'grace').ref),
    ),
    endExhausted: assigned((args) => {
      const call = plannedCall(args);
      return call.affordable ? args.context : ending.endExhausted(args.context, call.lacking);
    }),
    endLastCall: assigned(({ context, event }) => ending.endLastCall(context, done(event, 'decide').ref)),
    endUnrepeatable: assigned(({ context }) =>
      ending.endExhausted(context, spending.lackingToRepeat(context) ?? 'tokens'),
    ),
    endFinal: assigned(({ context, event }) => ending.endFinal(context, done(event, 'decide').ref)),
    endFinished: assigned(({ context }) => ending.endFinished(context)),
    endRepeating: assigned(({ context }) => ending.endRepeating(context)),
    endBeyondCorrection: assigned(({ context }) => ending.endBeyondCorrection(context)),
    endFailed: assigned((args) => ending.endFailed(args.context, decision(args))),
    endLate: assigned(({ context }) => ending.endLate(context)),
    endOrphaned: assigned(({ context }) => ending.endOrphaned(context)),
    endBroken: assigned(({ context, event }) => ending.endBroken(context, broken(event))),
    endPoisoned: assigned(({ context, event }) => ending.endPoisoned(context, (event as PoisonedEvent).attempts)),
    endCancelled: assigned(({ context, event }) => {
      const { by, reason } = taken(event, 'task.cancelled');
      return ending.endCancelled(context, by, reason);
    }),
    chargeGivenUp: assigned(({ context }) => spending.chargeGivenUp(context)),
    closeSlices: assigned(({ context }) => spending.closeSlices(context)),
  },
}).createMachine({
  id: 'agent',
  context: ({ input }) => createContext(input),
  initial: 'perceive',
  on: {
    'host.recovered': [
      { guard: 'cannotRepeat', target: '.terminate', actions: 'endUnrepeatable' },
      { actions: 'chargeLost' },
    ],
    'host.poisoned': { target: '.terminate', actions: 'endPoisoned' },
    'child.reported': {
      actions: [
        'recordReport',
        { type: 'deliver', params: ({ context, event }) => ({ deliveries: ordersToSend(context, event.at) }) },
        'releaseOrders',
      ],
    },
    'human.decided': {
      actions: [
        { type: 'deliver', params: ({ context, event }) => ({ deliveries: waiting.withdrawalOf(context, event) }) },
        'recordHumanDecision',
      ],
    },
    'human.answered': {
      actions: [
        { type: 'deliver', params: ({ context, event }) => ({ deliveries: waiting.withdrawalOf(context, event) }) },
        'recordAnswer',
      ],
    },
    'timer.fired': [
      { guard: 'isDeadline', target: '.terminate', actions: 'endLate' },
      {
        actions: [
          { type: 'deliver', params: ({ context, event }) => ({ deliveries: waiting.withdrawalOf(context, event) }) },
          'recordTimeout',
        ],
      },
    ],
    'human.corrected': { actions: 'recordCorrection' },
    'human.paused': { actions: 'pause' },
    'human.resumed': { actions: 'resume' },
    'budget.changed': { actions: 'changeBudget' },
    'slice.changed': { actions: 'changeSlice' },
    'subtask.budget': {
      actions: [
        { type: 'deliver', params: ({ context, event }) => ({ deliveries: slice.subtaskDelivery(context, event) }) },
        'changeSubtask',
      ],
    },
    'task.cancelled': { target: '.terminate', actions: 'endCancelled' },
    'parent.ended': { target: '.terminate', actions: 'endOrphaned' },
  },
  states: {
    perceive: {
      description: 'Gathers what the model should see, and what asking it would take.',
      invoke: {
        src: 'perceive',
        id: 'perceive',
        onDone: [
          { guard: 'late', target: 'terminate', actions: 'endLate' },
          { guard: 'paused', target: 'parked' },
          { guard: 'unaffordable', target: 'terminate', actions: 'endExhausted' },
          { target: 'decide', actions: 'reserveDecision' },
        ],
        onError: { target: 'terminate', actions: 'endBroken' },
      },
    },
    decide: {
      description: 'Asks the model and reads its reply.',
      invoke: {
        src: 'decide',
        id: 'decide',
        input: ({ context }: { context: AgentContext }) => steering.decideInput(context),
        onDone: [
          { guard: and(['answered', 'hasOpenRound', not('lastCall')]), target: 'parked', actions: 'recordDecision' },
          { guard: 'answered', target: 'terminate', actions: ['recordDecision', 'endFinal'] },
          {
            guard: and(['calling', 'lastCall', not('finishing')]),
            target: 'terminate',
            actions: ['recordDecision', 'endLastCall'],
          },
          {
            guard: 'calling',
            target: 'act',
            actions: [
              'recordDecision',
              'planSubtasks',
              {
                type: 'deliver',
                params: ({ context, event }) => ({ deliveries: ordersToSend(context, done(event, 'decide').at) }),
              },
              'releaseOrders',
              {
                type: 'deliver',
                params: ({ context, event }) => ({ deliveries: steering.askedBy(context, done(event, 'decide')) }),
              },
              'steerSubtasks',
            ],
          },
          { guard: 'mayAskAgain', target: 'perceive', actions: 'recordDecision' },
          { target: 'terminate', actions: ['recordDecision', 'endFailed'] },
        ],
        onError: { target: 'terminate', actions: 'endBroken' },
      },
    },
    act: {
      description: 'Carries out the calls of the round.',
      initial: 'dispatch',
      states: {
        dispatch: {
          description: 'Sorts the calls: those that may run now, those that wait for somebody, none left.',
          always: [
            { guard: 'hasReadyCalls', target: 'running' },
            { guard: 'mustDecide', target: '#agent.observe' },
            { guard: 'isWaiting', target: '#agent.parked' },
            { target: '#agent.observe' },
          ],
        },
        running: {
          description: 'Tools are at work, those of one round side by side.',
          entry: 'reserveTools',
          invoke: {
            src: 'callTools',
            id: 'callTools',
            input: ({ context }: { context: AgentContext }) => steering.toolsInput(context),
            onDone: { target: 'dispatch', actions: 'recordTools' },
            onError: { target: '#agent.terminate', actions: 'endBroken' },
          },
        },
      },
    },
    parked: {
      description: 'Rests without memory or process until children report, a human acts, or a timer fires.',
      entry: [
        { type: 'deliver', params: ({ context }) => ({ deliveries: waiting.deadlineTimer(context) }) },
        'setDeadlineTimer',
      ],
      on: {
        'budget.changed': {
          actions: [
            'changeBudget',
            { type: 'deliver', params: ({ context }) => ({ deliveries: waiting.deadlineTimer(context) }) },
            'setDeadlineTimer',
          ],
        },
        'slice.changed': {
          actions: [
            'changeSlice',
            { type: 'deliver', params: ({ context }) => ({ deliveries: waiting.deadlineTimer(context) }) },
            'setDeadlineTimer',
          ],
        },
      },
      always: [
        { guard: and([not('paused'), 'hasReadyCalls']), target: 'act' },
        { guard: and([not('paused'), 'mustDecide']), target: 'observe' },
        { guard: and([not('paused'), 'hasOpenRound', not('isWaiting')]), target: 'observe' },
        { guard: and([not('paused'), not('hasOpenRound')]), target: 'perceive' },
      ],
    },
    observe: {
      description: 'What can be known is: what does the round say about progress?',
      always: [
        { guard: 'hasFinished', target: 'terminate', actions: 'endFinished' },
        { guard: 'isRepeating', target: 'terminate', actions: 'endRepeating' },
        { guard: 'isBeyondCorrection', target: 'terminate', actions: 'endBeyondCorrection' },
        { guard: 'reflectionDue', target: 'reflect', actions: 'closeRound' },
        { target: 'perceive', actions: 'closeRound' },
      ],
    },
    reflect: {
      description: 'Looks back; the outcome is one more observation.',
      entry: 'reserveReflection',
      invoke: {
        src: 'reflect',
        id: 'reflect',
        onDone: { target: 'perceive', actions: 'recordReflection' },
        onError: { target: 'perceive', actions: 'loseReflection' },
      },
    },
    terminate: {
      description: 'Says what was done, where it stands and what is missing; nothing can stop it any more.',
      initial: 'choose',
      on: unheeded,
      states: {
        choose: {
          description: 'Is there anything left to ask the model?',
          always: [{ guard: 'wantsGrace', target: 'grace' }, { target: 'gather' }],
        },
        grace: {
          description: 'One last call for an agent that was stopped for going nowhere, to say what it has.',
          entry: 'useGrace',
          on: {
            'host.recovered': [{ guard: 'cannotRepeat', target: 'gather' }, { actions: 'chargeLost' }],
            'host.poisoned': { target: 'gather' },
            'child.reported': { guard: 'gathers', actions: 'recordReport' },
            'timer.fired': { guard: 'isTooLateForGrace', target: 'gather' },
          },
          invoke: {
            src: 'grace',
            id: 'grace',
            input: ({ context }: { context: AgentContext }) => spending.graceCall(context),
            onDone: { target: 'gather', actions: 'recordGrace' },
            onError: { target: 'gather' },
          },
        },
        gather: {
          description: 'Stops the subtasks that are at work, and waits a while for what they have found and spent.',
          entry: [
            'chargeGivenUp',
            { type: 'deliver', params: ({ context, event }) => ({ deliveries: ending.recall(context, event) }) },
          ],
          always: { guard: not('gathers'), target: 'report' },
          on: {
            'child.reported': { actions: 'recordReport' },
            'timer.fired': { guard: 'isGathered', target: 'report' },
          },
        },
        report: {
          description: 'Writes the one report, from what really ran.',
          entry: 'closeSlices',
          invoke: {
            src: 'report',
            id: 'report',
            onDone: {
              target: 'told',
              actions: {
                type: 'deliver',
                params: ({ context, event }) => ({
                  deliveries: ending.farewells(context, done(event, 'report').output, done(event, 'report').at),
                }),
              },
            },
          },
        },
        told: {
          type: 'final',
          description: 'The report has left; children and humans know that nobody waits for them.',
        },
      },
      onDone: 'done',
    },
    done: { type: 'final', description: 'Nothing happens any more, whatever arrives.', on: { '*': {} } },
  },
});
