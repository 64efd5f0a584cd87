/** Ends a run with one plain line of counts that any machine can read. */
import type { Reporter, TestModule } from 'vitest/node';

export default class Counts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0;
    let failed = 0;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        if (state === 'failed') failed += 1;
      }
      // A file that could not be loaded has no tests to fail.
      if (module.state() === 'failed' && module.errors().length > 0) failed += 1;
    }
    console.log(`\n${passed} passed, ${failed} failed`);
  }
}
