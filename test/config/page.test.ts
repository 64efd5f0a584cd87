import { expect, it } from 'vitest';
import { loadSettings } from '../../src/config/load.js';
import { settingNames } from '../../src/config/name.js';

/** A cell of a table: code, or nothing. */
const code = (value: unknown): string => {
  if (value === undefined || value === '') return '';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
};

async function page(): Promise<string> {
  const noFiles = { readText: async () => undefined, importDefault: async () => undefined };
  const result = await loadSettings({ env: {}, cwd: '.', home: '~', files: noFiles });
  if (!result.ok) throw new Error(result.failure.message);
  const rows = result.value.explanation.map(({ setting, value, variables, flag, meaning }) => {
    const cells = [code(setting), code(value), variables.map(code).join(' '), code(flag), meaning];
    return `| ${cells.join(' | ')} |`;
  });
  return `# Settings

Order: flag, environment, project file, user file, default; the first that says something counts. The project file is
\`hact.config.json\`, \`.yaml\`, \`.mjs\`, \`.js\` or \`.ts\` in the working folder, or what \`HACT_CONFIG\` names; the user
file has the same name and lies in \`$XDG_CONFIG_HOME/hact\` or \`~/.config/hact\`. In files, the dots are levels:
\`budget.tokens\` is \`{"budget": {"tokens": …}}\`. TypeScript files need Node 22.18 or newer.

Every mistake is reported at once, with its place, and nothing starts (exit code 2). \`hact doctor --config\` shows every
setting with its value and where it comes from; secrets are masked. An empty variable counts as absent, an unknown
\`HACT_…\` variable as a mistake. Lists are separated by commas. Paths are relative to the file that holds them, else to
the working folder.

\`OPENAI_API_KEY\` and \`OPENAI_BASE_URL\` stand for \`model.apiKey\` and \`model.baseUrl\` when no preset is chosen, or
\`openai\`: a key never travels to another provider.

| setting | default | environment | flag | meaning |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

it('every setting says what it means', () => {
  expect(settingNames.filter((name) => !/^[A-Z].*\.$/.test(name.meaning)).map((name) => name.path)).toEqual([]);
});

it('docs/settings.md is up to date (renew it with: npx vitest run test/config -u)', async () => {
  await expect(await page()).toMatchFileSnapshot('../../docs/settings.md');
});
