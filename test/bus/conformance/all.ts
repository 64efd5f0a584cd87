/** The whole conformance suite, for one adapter. */
import { describeBlobs } from './blob.js';
import { describeBuckets } from './bucket.js';
import { describeFeed } from './feed.js';
import type { MakeHarness } from './harness.js';
import { describeInbox } from './inbox.js';
import { describeJournal } from './journal.js';
import { describeRequests } from './request.js';
import { describeTimers } from './timer.js';
import { describeWakes } from './wake.js';

export function describeBus(makeHarness: MakeHarness): void {
  describeJournal(makeHarness);
  describeInbox(makeHarness);
  describeWakes(makeHarness);
  describeBuckets(makeHarness);
  describeTimers(makeHarness);
  describeFeed(makeHarness);
  describeBlobs(makeHarness);
  describeRequests(makeHarness);
}
