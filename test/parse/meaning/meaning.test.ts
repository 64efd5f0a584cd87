import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.js';
import { dayOf } from '../../../src/parse/meaning/calendar.js';
import { findingText } from '../../../src/parse/meaning/finding.js';
import { applyFindings, contradictions, readGoal } from '../../../src/parse/meaning/meaning.js';
import { type MeaningCase, meaningCases, today, tools } from './cases.js';

const meant = ({ goal, tool, given }: MeaningCase) =>
  applyFindings(given, tools[tool], contradictions(given, tools[tool], readGoal(goal, today)));

describe('arguments against the goal', () => {
  it('come out as the goal means them', () => {
    const wrong = meaningCases.flatMap((example) => {
      const got = meant(example).arguments;
      const wanted: JsonObject = { ...example.given, ...example.set };
      return JSON.stringify(got) === JSON.stringify(wanted) ? [] : [{ ...example, got }];
    });
    expect(wrong).toEqual([]);
  });

  it('are changed only with an entry that says what and why', () => {
    for (const example of meaningCases) {
      const { applied } = meant(example);
      expect(applied.length > 0, example.goal).toBe(Object.keys(example.set).length > 0);
      for (const finding of applied) expect(findingText(finding)).toMatch(/ to .+\((?:first day|words|wrong|other)/);
    }
  });

  it('of a tool that changes something stay as they are, and the contradiction is told', () => {
    for (const example of meaningCases.filter(({ tool }) => tool === 'drop')) {
      const { applied, arguments: args, left } = meant(example);
      expect(args).toBe(example.given);
      expect(applied).toEqual([]);
      expect(left[0]?.confidence, example.goal).toBeGreaterThan(0.8);
    }
  });

  it('that no rule can set right are told without a proposal', () => {
    const given = { date: '2025-07-01' };
    const [finding] = contradictions(given, tools.daily, readGoal('Rates of Q3 2025', today));
    expect(finding).toMatchObject({ problem: 'first day only', to: undefined, period: { kind: 'quarter' } });
    expect(findingText(finding as never)).toContain('the goal says "Q3 2025"');
  });

  it('are not touched by what the goal leaves open', () => {
    const { applied, left } = meant({
      goal: 'Rates of last week',
      tool: 'sales',
      given: { start_date: '2024-01-01', end_date: '2024-01-07' },
      set: {},
    });
    expect(applied).toEqual([]);
    expect(left).not.toEqual([]);
  });

  it('are reckoned from a day that the caller gives, in its zone', () => {
    const late = Date.UTC(2026, 10, 30, 23, 30);
    expect([dayOf(late), dayOf(late, 480)]).toEqual(['2026-11-30', '2026-12-01']);
  });

  it('survive a goal and a schema that make no sense', () => {
    const odd = {
      name: 'odd',
      description: '',
      parameters: { type: 'object', properties: { date: null, a: { $ref: '#' } } },
      effect: 'read',
    } as never;
    const goal = readGoal('Q9 2025年99月99日 31 February 2025 last last month '.repeat(400), today);
    expect(contradictions({ date: '2025-02-31', a: { a: { a: {} } } }, odd, goal)).toEqual([]);
    expect(contradictions({ date: { x: 1 } }, tools.daily, goal)).toEqual([]);
  });
});
