// What is measured, and how, is said in the file below.
import * as peer from '../../../../dist/test/bench/delegate/peer.js';

export const { client, worker } = peer;
