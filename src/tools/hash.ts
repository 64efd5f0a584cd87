/** Hashes that name a call. Equal arguments give equal hashes, whatever the order of their keys. */
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../domain/json.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Of name and canonical arguments, 16 hex digits: tells repeated actions. */
export const callHash = (tool: string, args: JsonObject): string =>
  sha256(`${tool}\n${canonicalJson(args)}`).slice(0, 16);

/** What an approval is bound to: tool, canonical arguments and task, 64 hex digits. A changed argument voids it. */
export const approvalHash = (tool: string, args: JsonObject, taskId: string): string =>
  sha256(`approval\n${taskId}\n${tool}\n${canonicalJson(args)}`);

/** Over the calls of a round: the same actions with the same arguments, in whatever order. */
export const actionHash = (calls: readonly { readonly hash: string }[]): string =>
  calls.length === 1
    ? (calls[0]?.hash ?? '')
    : sha256(
        calls
          .map((call) => call.hash)
          .sort()
          .join('\n'),
      ).slice(0, 16);
