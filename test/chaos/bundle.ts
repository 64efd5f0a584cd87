/** The worker program in one file: schedules start a process every second or two, and one file halves what that costs. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Path of the program in that folder. */
export async function bundledWorker(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL('worker.js', import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
    },
  });
  return join(folder, 'worker.js');
}
