import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import { ownFiles, textOf } from './repository.js';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const locked: readonly (readonly [string, Locked])[] = Object.entries(lock.packages as Record<string, Locked>).filter(
  ([path]) => path !== '',
);

describe('dependencies', () => {
  it('are pinned to exact versions', () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies };
    const loose = Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    expect(loose).toEqual([]);
  });

  it('needed at run time are few', () => {
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(20);
  });

  it('run nothing when they are installed, and neither do we', () => {
    expect(locked.length).toBeGreaterThan(20);
    expect(locked.filter(([, item]) => item.hasInstallScript === true).map(([path]) => path)).toEqual([]);
    const own = ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in manifest.scripts);
    expect(own).toEqual([]);
  });

  it('are locked by content and not by address', async () => {
    expect(locked.filter(([, item]) => item.resolved !== undefined)).toEqual([]);
    expect(locked.filter(([, item]) => item.integrity === undefined).map(([path]) => path)).toEqual([]);
    expect(await textOf('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
    expect(lock.packages[''].dependencies).toEqual(manifest.dependencies);
    expect(lock.packages[''].devDependencies).toEqual(manifest.devDependencies);
  });
});

describe('the package', () => {
  it('is open and says so', async () => {
    expect(manifest.license).toBe('Apache-2.0');
    expect(await textOf('LICENSE')).toContain('Apache License');
  });

  it('has a source for everything that it starts', async () => {
    const files = await ownFiles();
    const commands = [manifest.main, ...Object.values(manifest.bin), ...Object.values(manifest.scripts)];
    const programs = commands.flatMap((command) =>
      [...command.matchAll(/dist\/([\w/.-]+)\.js/g)].map(([, path]) => path),
    );
    expect(programs.length).toBeGreaterThan(4);
    expect(programs.filter((path) => !files.includes(`${path}.ts`))).toEqual([]);
  });
});
