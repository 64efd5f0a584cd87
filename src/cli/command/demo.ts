/** `hact demo`. */
import type { Command } from 'commander';

export function addDemoCommand(_program: Command): void {}
