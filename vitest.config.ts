import { defineConfig } from 'vitest/config';

/** Tests that start whole processes, browsers or the built program. Everything else is fast and part of `npm run check`. */
const slow = ['test/{integration,scenarios,demo,readme,inspector,bench}/**/*.test.ts', 'test/**/*.slow.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    reporters: ['default', './test/house/setup/counts.ts'],
    globalSetup: ['./test/house/setup/leftovers.ts'],
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...slow, 'test/bench/peers/**'],
          // A hang, not slowness: a busy machine with two cores takes its time.
          testTimeout: 45_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slow,
          exclude: ['test/bench/peers/**'],
          globalSetup: ['./test/house/setup/build.ts'],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          // One file at a time: each starts several processes, and there are two cores.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
