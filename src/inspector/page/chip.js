/** The coloured word for a state or a status. */
import { h } from './dom.js';
import { stateName } from './words.js';

/** @param {string} state */
export const chip = (state) => h('span', { class: `state-chip hue-${state}` }, stateName(state));
