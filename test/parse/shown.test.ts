import { describe, expect, it } from 'vitest';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';

const tools: ParseTool[] = ['delete_file', 'read_file'].map((name) => ({
  name,
  description: name,
  effect: name === 'read_file' ? 'read' : 'unsafe',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}));
const json = '{"name":"delete_file","arguments":{"path":"/a"}}';
const tagged = `<tool_call>${json}</tool_call>`;
const element = '<function=delete_file><parameter=path>/a</parameter></function>';
const names = (text: string): string[] =>
  parseReply({ text, tools, finishReason: 'stop' }).calls.map(({ name }) => name);

describe('a call that is shown', () => {
  it.each([
    `The manual has this:\n~~~ example\n${tagged}\n~~~\nThat is all.`,
    `~~~python\ncall = ${json}\n${json}\n~~~`,
    `> ${tagged}\n\nThat is what they wrote.`,
    `> <tool_call>\n> ${json}\n> </tool_call>`,
    `| tool | call |\n|---|---|\n| delete | ${tagged} |`,
    `他写的是「${tagged}」。`,
    `书上有『${element}』一句。`,
    `The text was “${tagged}” and nothing more.`,
    `Inline: \`\`${json}\`\` is how it looks.`,
    `<pre>${tagged}</pre>`,
    `<code>\n${json}\n</code>`,
    `<blockquote>\n${element}\n</blockquote>`,
    `<details><summary>more</summary>\n${tagged}\n</details>`,
    `console.log("${element}");`,
    `print('${tagged.replaceAll("'", '')}')`,
    'def clean():\n    return delete_file(path="/a")',
    'def clean():\n    delete_file(path="/a")',
    'if gone:\n    delete_file(path="/a")',
    'def clean():\n    log("x")\n    delete_file(path="/a")',
    'def clean():\n    log("x")\n\n    delete_file(path="/a")',
    'def clean():\n    if old:\n        log("x")\n    delete_file(path="/a")',
    'def clean():\n    log("x")\n    for p in q:\n        log(p)\n        delete_file(path="/a")',
    `def clean():\n    log("${'x'.repeat(500)}")\n    delete_file(path="/a")`,
    'function clean() {\n\tlog("x");\n\tdelete_file(path="/a")\n}',
    '>>> delete_file(path="/a")\nTrue',
    '```\n# delete_file(path="/a")\nreturn delete_file(path="/a")\n```',
    `+ ${tagged}`,
    `--- a/run\n+++ b/run\n- ${tagged}\n+ nothing`,
    `\`\`\`json example\n${json}\n\`\`\``,
    `The <code> tag shows code.\n<pre>${tagged}</pre>`,
    `The <pre> tag is gone. <pre>${tagged}</pre>`,
    `~~~\n<pre>${tagged}</pre>`,
    `~~~json\n<pre>${tagged}</pre>`,
    `~~~json\n\n~~~python\n${json}\n~~~`,
    `<details><pre>old</pre>\n${tagged}\n<code>x</code></details>`,
    `<pre>The <code> tag: ${tagged}</pre>`,
    `~~~python\n${json}\n~~~~\nend`,
    `1. Note:\n\n   ~~~python\n   ${json}\n   ~~~~`,
    `- ~~~python\n  ${json}\n  ~~~`,
    `> \`\`\`json\n> ${json}\n> \`\`\``,
    `>> ${json}`,
    `- > ${tagged}`,
    `1. > \`\`\`json\n   > ${json}\n   > \`\`\``,
    `\`\`\`markdown\n# Doc\n\`\`\`json\n${json}\n\`\`\`\nmore\n\`\`\``,
    `\`\`\`python\n${'x = "```"\n'.repeat(20)}${json}\n\`\`\``,
    `<blockquote><blockquote>a</blockquote>\n${tagged}</blockquote>`,
    `${'<pre> '.repeat(200)}\n<code>${tagged}</code>`,
  ])('does not run, and stays readable: %s', (text) => {
    expect(names(text)).toEqual([]);
    expect(parseReply({ text, tools, finishReason: 'stop' }).content).toContain('delete_file');
  });
});

describe('a call beside what is shown', () => {
  it.each([
    `\`\`\`json\n${json}\n\`\`\``,
    '```tool_code\nprint(delete_file(path="/a"))\n```',
    '```tool_code\ndelete_file(path="/a")\n```',
    `~~~json\n${json}\n~~~`,
    `> They asked for it.\n\n${tagged}`,
    `| a | b |\n|---|---|\n| 1 | 2 |\n\n${tagged}`,
    `他说「删除」。\n${tagged}`,
    `As “agreed”, deleting it now:\n${tagged}`,
    `The \`<pre>\` tag is gone. ${tagged}`,
    `The <pre> tag is gone.\n${tagged}`,
    `<pre>old</pre>\n${tagged}`,
    `The <pre> tag is gone. <pre>old</pre>\n${tagged}`,
    `<pre>one <code> two</pre>\n${tagged}\nThat was all with </code>.`,
    `The </pre> tag and the <pre> tag are gone.\n${tagged}`,
    `~~~python\nold()\n~~~\n${tagged}\n~~~python\nnew()\n~~~`,
    `~~~\n\n${tagged}`,
    `- ${tagged}`,
    `~~~~python\n~~~\n~~~~\n${tagged}`,
    `\`\`\`python\nx\n\`\`\`\`\n${tagged}`,
    `It's "done" when it's gone:\n${tagged}`,
    `"${tagged}"`,
    'result = delete_file(path="/a")',
    'await delete_file(path="/a")',
    'def clean():\n    log("x")\n\nNow I clean:\n    delete_file(path="/a")',
    'def clean():\n    log("x")\n\nNow I clean:\n\ndelete_file(path="/a")',
    'The plan for today:\n    first this\n    delete_file(path="/a")',
    '```tool_code\n    delete_file(path="/a")\n```',
    `Here is a diff:\n- old\n+ new\n\n${tagged}`,
  ])('runs: %s', (text) => {
    expect(names(text)).toEqual(['delete_file']);
  });
});
