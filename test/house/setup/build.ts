/** Builds the product and the test programs once before tests that start them as processes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export default async function build(): Promise<void> {
  try {
    await promisify(execFile)('npm', ['run', '--silent', 'build:test'], { maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`npm run build:test failed; the slow tests need it\n${stdout ?? ''}${stderr ?? ''}`);
  }
}
