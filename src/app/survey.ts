/** What lies on the server that a runtime uses. */
import type { BusOptions } from '../bus/connect.js';
import { type Survey, surveyServer } from '../bus/survey.js';
import type { Result } from '../domain/failure.js';
import type { Runtime } from './runtime.js';

export const surveyBus = (runtime: Runtime): Promise<Result<Survey>> =>
  surveyServer({ ...busOptions(runtime), name: 'hact survey' });

/** For a connection of its own to the server of a runtime. */
export const busOptions = ({ server, settings }: Runtime): BusOptions => ({
  servers: server.url,
  ...(server.token === undefined ? {} : { token: server.token }),
  ...(settings.nats.creds === undefined ? {} : { credsFile: settings.nats.creds }),
  prefix: settings.nats.prefix,
});
