/** Reads the settings of this process from its real surroundings. */
import { homedir } from 'node:os';
import { realFiles } from '../config/file.js';
import { type LoadedSettings, loadSettings, type Surroundings } from '../config/load.js';
import type { Result } from '../domain/failure.js';

/** `flags` stand above everything else. Nothing is read before it is called. */
export const settingsHere = (flags: Surroundings['flags'] = {}, configPath?: string): Promise<Result<LoadedSettings>> =>
  loadSettings({
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    files: realFiles,
    flags,
    ...(configPath === undefined ? {} : { configPath }),
  });
