/** What lies on the server that a runtime uses. */
import { type Survey, surveyServer } from '../bus/survey.js';
import type { Result } from '../domain/failure.js';
import type { Runtime } from './runtime.js';

export const surveyBus = ({ server, settings }: Runtime): Promise<Result<Survey>> =>
  surveyServer({
    servers: server.url,
    ...(server.token === undefined ? {} : { token: server.token }),
    ...(settings.nats.creds === undefined ? {} : { credsFile: settings.nats.creds }),
    prefix: settings.nats.prefix,
    name: 'hact survey',
  });
