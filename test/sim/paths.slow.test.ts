import { describe, expect, it } from 'vitest';
import { allRoutes } from '../machines/routes.js';
import { randomFrom } from '../support/random.js';
import { drive } from './paths/drive.js';

const random = randomFrom(1);
/** `npm run sim:paths` takes them all. */
const routes = allRoutes().filter(() => random() < 0.002);

describe('a route through the chart, on the real host', () => {
  it('is one of thousands', () => {
    expect(routes.length).toBeGreaterThan(3);
  });

  it.each(routes.map((route) => [route.join(' > '), route] as const))(
    'ends once, whoever dies: %s',
    async (_, route) => {
      const { appends, problems } = await drive(route);
      expect(problems).toEqual([]);
      expect(appends).toBeGreaterThan(2);
      for (let append = 1; append <= appends; append += 1) {
        for (const moment of ['before', 'after'] as const)
          expect({ append, moment, ...(await drive(route, { append, moment })) }).toMatchObject({ problems: [] });
      }
    },
    120_000,
  );
});
