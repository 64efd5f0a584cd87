/** `npm run scenarios -- FILE…`: plays each file and says which fields of its `expect` do not hold. Exit code 0 only if all do. */
import { play } from './scenario/play.js';
import { verdict } from './scenario/verdict.js';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: npm run scenarios -- FILE…   (e.g. test/scenarios/dev-01.json)');
  process.exit(2);
}
let failed = 0;
for (const file of files) {
  const problems = await play(file).then(verdict, (error: unknown) => [String(error)]);
  if (problems.length > 0) failed += 1;
  console.log(`${problems.length === 0 ? 'holds ' : 'FAILS '} ${file}`);
  for (const problem of problems) console.log(`   ${problem}`);
}
console.log(`${files.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
