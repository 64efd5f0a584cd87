/** Dialogs for what needs words: a correction, an answer, a reason. */
import { h } from './dom.js';
import { app, changed, perform } from './state.js';
import { t } from './words.js';

/** @typedef {import('./state.js').Dialog} Dialog */

export function dialogView() {
  const { dialog } = app;
  if (dialog === null) return null;
  const heading = { correct: t('correctTitle'), cancel: t('cancelTitle'), deny: t('denyTitle'), answer: t('answer') }[
    dialog.kind
  ];
  const label = { correct: t('instruction'), cancel: t('reason'), deny: t('reason'), answer: t('yourAnswer') }[
    dialog.kind
  ];
  const needed = dialog.kind === 'correct' || dialog.kind === 'answer';
  return h(
    'dialog',
    { key: `${dialog.kind}-${dialog.id}`, onclose: close, 'aria-labelledby': 'dialog-title' },
    h(
      'form',
      { method: 'dialog', onsubmit: (/** @type {SubmitEvent} */ event) => void send(event, dialog) },
      h('h2', { id: 'dialog-title' }, heading),
      h('p', { class: 'muted dialog-about', dir: 'auto' }, dialog.title),
      dialog.kind === 'correct' && h('p', null, t('correctHint')),
      dialog.kind === 'cancel' && h('p', null, t('cancelHint')),
      h('label', null, label, h('textarea', { name: 'text', rows: 4, required: needed, autofocus: true, dir: 'auto' })),
      dialog.kind === 'correct' &&
        h('label', null, t('memory'), h('textarea', { name: 'memory', rows: 2, spellcheck: 'false', class: 'mono' })),
      dialog.problem !== undefined && h('p', { class: 'problem', role: 'alert' }, dialog.problem),
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          {
            type: 'submit',
            class: dialog.kind === 'cancel' || dialog.kind === 'deny' ? 'danger solid' : 'primary',
            'data-action': 'send',
          },
          dialog.kind === 'cancel' || dialog.kind === 'deny' ? heading : t('send'),
        ),
        h('button', { type: 'button', onclick: close }, t('back')),
      ),
    ),
  );
}

function close() {
  app.dialog = null;
  changed();
}

/** @param {SubmitEvent} event @param {Dialog} dialog */
async function send(event, dialog) {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const text = String(form.get('text') ?? '').trim();
  const memory = memoryOf(String(form.get('memory') ?? ''));
  if (memory === null) {
    app.dialog = { ...dialog, problem: t('badJson') };
    return changed();
  }
  const agent = `agents/${encodeURIComponent(dialog.id)}`;
  const request = `approvals/${encodeURIComponent(dialog.id)}`;
  const reason = text === '' ? {} : { reason: text };
  close();
  switch (dialog.kind) {
    case 'correct':
      return perform(`${agent}/correct`, { text, ...(memory === undefined ? {} : { memory }) });
    case 'cancel':
      return perform(`${agent}/cancel`, reason);
    case 'answer':
      return perform(`${request}/answer`, { text });
    case 'deny': {
      app.decided.add(dialog.id);
      if (!(await perform(`${request}/deny`, reason))) app.decided.delete(dialog.id);
      return changed();
    }
  }
}

/** Undefined: nothing was written; null: it is no JSON object. @param {string} text */
function memoryOf(text) {
  if (text.trim() === '') return undefined;
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
