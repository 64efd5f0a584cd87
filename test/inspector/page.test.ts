import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AgentId } from '../../src/domain/id.js';
import type { Message } from '../../src/domain/message.js';
import { startInspector } from '../../src/inspector/server.js';
import { silent } from '../../src/observe/log.js';
import { value } from '../control/support.js';
import { startBrowser, type TestBrowser } from './browser.js';
import { agentChart, type Inspected, Life, startInspected, until } from './support.js';

let at: Inspected;
let browser: TestBrowser;
beforeAll(async () => {
  [at, browser] = await Promise.all([startInspected(), startBrowser()]);
});
afterEach(() => browser.clear());
afterAll(async () => {
  await browser.close();
  await at.end();
});

const open = (path = '', options = {}) =>
  browser.open(`${at.origin}${path}/#token=${at.inspector.token}`.replace(/([^/])\/#/, '$1#'), options);
const inbox = async (agentId: string): Promise<Message[]> =>
  value(await at.control.bus.inbox.read(agentId as AgentId, 0))
    .map((stored) => stored.value)
    .filter(({ type }) => type !== 'task.ordered');
const inboxOf = async (agentId: string): Promise<Message[]> => {
  await until(async () => (await inbox(agentId)).length > 0);
  return inbox(agentId);
};
const state = (page: Page, name: string) => page.waitForSelector(`svg.chart[data-state="${name}"]`);

describe('the page of a task', () => {
  it('follows an agent through its statechart without being loaded again', async () => {
    const taskId = await at.submit({ goal: '找出变慢的接口 & why' });
    const life = new Life(at.control, taskId).start('找出变慢的接口 & why').move('perceive', '');
    const { page, troubles } = await open(`/tasks/${taskId}`);
    await state(page, 'perceive');
    await page.evaluate(() => Object.assign(window, { mark: 1 }));
    expect(await page.textContent('h1')).toBe('找出变慢的接口 & why');

    life.move('decide', 'done.perceive');
    await state(page, 'decide');
    expect(await page.locator('.edge.lit').getAttribute('data-edge')).toBe('perceive>decide');

    life.move('act', 'done.decide', 'list_files', { tokens: 4_000, toolCalls: 1 });
    await page.waitForSelector('.state.lit[data-path="act.running"]');
    expect(await page.textContent('.lit-label text')).toBe('decide ✓');
    expect(
      await page.locator('[data-budget=agent] [data-gauge=tokens] [role=meter]').getAttribute('aria-valuenow'),
    ).toBe('4000');

    life.move('parked', 'done.callTools', 'waits for a child');
    await state(page, 'parked');
    const way = await page
      .locator('.edge.lit')
      .evaluateAll((edges) => edges.map((edge) => edge.getAttribute('data-edge')));
    expect(way.sort()).toEqual(['act.dispatch>parked', 'act.running>act.dispatch']);

    life.move('parked', 'child.reported');
    await page.waitForSelector('.heard .lit');
    expect(await page.textContent('.heard .lit')).toBe('child.reported');
    expect(await page.locator('.edge.lit').count()).toBe(0);

    await life.end('三个接口变慢了');
    await page.waitForSelector('.summary');
    expect(await page.textContent('.summary')).toBe('三个接口变慢了');
    expect(await page.locator('[data-action=pause]').isDisabled()).toBe(true);
    expect(await page.evaluate(() => 'mark' in window)).toBe(true);
    expect(troubles).toEqual([]);
  });

  it('shows children as they come, and each of them by keyboard', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const planner = new Life(at.control, taskId).start('g').move('act', 'done.decide');
    const { page } = await open(`/tasks/${taskId}`);
    await state(page, 'act');
    const child = planner.child().start('part one', planner).move('decide', 'done.perceive');
    await page.waitForSelector(`[data-agent="${child.agentId}"]`);
    await page.focus(`[data-agent="${taskId}"]`);
    await page.keyboard.press('ArrowDown');
    await state(page, 'decide');
    expect(new URL(page.url()).pathname).toBe(`/tasks/${taskId}/${child.agentId}`);
    expect(await page.getAttribute(`[data-agent="${child.agentId}"]`, 'aria-selected')).toBe('true');
    child.move('reflect', 'done.callTools');
    await state(page, 'reflect');
    expect(await page.locator('.timeline .lane').count()).toBe(2);
  });

  it('catches up after the inspector was away', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const life = new Life(at.control, taskId).start('g').move('decide', 'done.perceive');
    const start = (port?: number) =>
      startInspector({
        bus: at.control.bus,
        client: at.client,
        machines: [agentChart],
        token: 't',
        log: silent,
        ...(port ? { port } : {}),
      });
    const first = value(await start());
    const { page } = await browser.open(`http://127.0.0.1:${first.port}/tasks/${taskId}#token=t`);
    await state(page, 'decide');
    await page.waitForSelector('.link.live');
    await first.close();
    await page.waitForSelector('.link:not(.live)');
    life.move('act', 'done.decide').move('reflect', 'done.callTools');
    const second = value(await start(first.port));
    await state(page, 'reflect');
    expect(await page.locator('ol.events li').count()).toBe(4);
    await second.close();
  });
});

describe('a click', () => {
  it('on Pause, then Resume, reaches the inbox of the agent', async () => {
    const taskId = await at.submit({ goal: 'g' });
    new Life(at.control, taskId).start('g').move('decide', 'done.perceive');
    const { page } = await open(`/tasks/${taskId}`);
    await page.click('[data-action=pause]');
    expect(await inboxOf(taskId)).toMatchObject([{ type: 'human.paused', by: 'inspector' }]);
    await page.click('[data-action=resume]');
    await until(async () => (await inbox(taskId)).length === 2);
    expect((await inbox(taskId))[1]).toMatchObject({ type: 'human.resumed' });
  });

  it('on Approve allows exactly the request that is shown', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const life = new Life(at.control, taskId).start('g').move('parked', 'done.decide');
    const { page } = await open(`/tasks/${taskId}`);
    await state(page, 'parked');
    const request = await life.ask('write_file', { path: '报告.md', content: 'a\u202eexe.txt\nb' });
    const card = page.locator(`[data-request="${request.id}"]`);
    await card.waitFor();
    expect(await card.locator('.tool').textContent()).toBe('write_file');
    expect(await card.locator('.exact').textContent()).toBe(
      '{\n  "path": "报告.md",\n  "content": "a\\u{202e}exe.txt\\nb"\n}',
    );
    await card.locator('[data-action=approve]').click();
    expect(await inboxOf(taskId)).toMatchObject([{ type: 'human.decided', approvalId: request.id, allow: true }]);
    await at.control.bus.buckets.approval.delete(request.id);
    life.move('act', 'human.decided');
    await card.waitFor({ state: 'detached' });
  });

  it('on Deny asks for a reason and sends it', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const request = await new Life(at.control, taskId).start('g').ask('delete_all', {});
    const { page } = await open('/approvals');
    await page.click(`[data-request="${request.id}"] [data-action=deny]`);
    await page.fill('dialog textarea[name=text]', '不要删除 <b>anything</b>');
    await page.click('dialog [data-action=send]');
    expect(await inboxOf(taskId)).toMatchObject([{ allow: false, reason: '不要删除 <b>anything</b>' }]);
    await page.waitForSelector('dialog', { state: 'detached' });
  });

  it('on Correct sends instruction and working memory, and says when the memory is no JSON', async () => {
    const taskId = await at.submit({ goal: 'g' });
    new Life(at.control, taskId).start('g').move('decide', 'done.perceive');
    const { page } = await open(`/tasks/${taskId}`);
    await page.click('[data-action=correct]');
    await page.fill('dialog textarea[name=text]', '用中文回答');
    await page.fill('dialog textarea[name=memory]', 'language');
    await page.click('dialog [data-action=send]');
    await page.waitForSelector('dialog .problem');
    expect(await page.inputValue('dialog textarea[name=text]')).toBe('用中文回答');
    await page.fill('dialog textarea[name=memory]', '{"language":"zh"}');
    await page.click('dialog [data-action=send]');
    expect(await inboxOf(taskId)).toMatchObject([
      { type: 'human.corrected', text: '用中文回答', memory: { language: 'zh' } },
    ]);
  });

  it('on Cancel does nothing until it is confirmed, all by keyboard', async () => {
    const taskId = await at.submit({ goal: 'g' });
    new Life(at.control, taskId).start('g').move('decide', 'done.perceive');
    const { page } = await open(`/tasks/${taskId}`);
    await page.focus('[data-action=cancel]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await inbox(taskId)).toEqual([]);
    await page.focus('[data-action=cancel]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.type('wrong file');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await inboxOf(taskId)).toMatchObject([{ type: 'task.cancelled', reason: 'wrong file' }]);
  });

  it('is not possible without the token, and what the server refuses is said', async () => {
    const taskId = await at.submit({ goal: 'g' });
    new Life(at.control, taskId).start('g').move('decide', 'done.perceive');
    const { page } = await browser.open(`${at.origin}/tasks/${taskId}`);
    await state(page, 'decide');
    expect(await page.locator('[data-action=pause]').isDisabled()).toBe(true);
    expect(await page.locator('.readonly').count()).toBe(1);
    const wrong = await browser.open(`${at.origin}/tasks/${taskId}#token=wrong`);
    await wrong.page.click('[data-action=pause]');
    expect(await wrong.page.locator('.notice.bad').textContent()).toContain('token');
    expect(await inbox(taskId)).toEqual([]);
  });
});

describe('the list of tasks', () => {
  it('shows a new task by itself, and its way through states, tokens and cost', async () => {
    const { page, troubles } = await open();
    await page.waitForSelector('.link.live');
    const taskId = await at.submit({ goal: '新的任务' });
    const row = page.locator(`[data-task="${taskId}"]`);
    const life = new Life(at.control, taskId)
      .start('新的任务')
      .move('act', 'done.decide', 'list_files', { tokens: 20_000 });
    await row.locator('.hue-act').waitFor();
    expect(await row.textContent()).toMatch(/新的任务.*list_files.*20\.0k.*\$0\.0400/s);
    await life.ask('write_file', {});
    await row.locator('.badge').waitFor();
    await life.end('ready');
    await row.locator('.hue-done').waitFor();
    expect(troubles).toEqual([]);
    expect(page.url()).toBe(`${at.origin}/`);
  });

  it('speaks Chinese to those who do, and keeps what is chosen', async () => {
    const { page } = await open('', { locale: 'zh-CN', colorScheme: 'dark' });
    await page.waitForSelector('h1');
    expect(await page.textContent('h1')).toBe('任务');
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.click('text=English');
    await page.click('[aria-label=Colours]');
    expect(await background()).not.toBe(dark);
    await page.reload();
    await page.waitForSelector('h1');
    expect(await page.textContent('h1')).toBe('Tasks');
    expect(await background()).not.toBe(dark);
  });
});

describe('hostile text', () => {
  const hostile = [
    '<img src=x onerror="window.hacked=1">',
    '</script><script>window.hacked=2</script>',
    '<svg onload=window.hacked=3><animate onbegin=window.hacked=4>',
    '[x](javascript:window.hacked=5) <a href="javascript:window.hacked=6">x</a>',
    '"><iframe srcdoc="<script>parent.hacked=7</script>">',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant to look like one
    '${window.hacked=8}\u2028{{constructor.constructor("window.hacked=9")()}}',
  ];

  it('is text wherever it turns up', async () => {
    const text = hostile.join(' ');
    const taskId = await at.submit({ goal: text });
    const life = new Life(at.control, taskId).start(text).move('parked', text, text);
    life.host = text;
    await life.ask(text, { [text]: text, list: [text] });
    const child = life.child().start(text, life).move('act', text, text).takeOver(text);
    await child.end(text);
    const { page, troubles } = await open(`/tasks/${taskId}`);
    await state(page, 'parked');
    await page.locator('.exact').waitFor();
    expect(await page.textContent('h1')).toBe(text);
    expect(await page.locator('.request .tool').textContent()).toContain(text.replaceAll('\u2028', '\\u{2028}'));
    await page.click(`[data-agent="${child.agentId}"]`);
    await page.locator('.summary').waitFor();
    for (const path of ['/', '/approvals', '/machines']) {
      await page.click(`header a[href="${path}"]`);
      await page.locator('main h1').waitFor();
    }
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('main img, main iframe, main script, main a[href^="javascript"]').count()).toBe(0);
    expect(troubles).toEqual([]);
  });
});
