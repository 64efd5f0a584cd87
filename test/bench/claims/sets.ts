/** The labelled sets: the first was written before the checker, each later one after it was tuned on those before. */
import { randomFrom } from '../../support/random.js';
import { type Case, casesOf, type Tell } from './case.js';
import { eighth } from './eighth.js';
import { eleventhEnglish } from './eleventh-en.js';
import { eleventhMore } from './eleventh-more.js';
import { eleventhChinese } from './eleventh-zh.js';
import { fifthEnglish } from './fifth-en.js';
import { fifthChinese } from './fifth-zh.js';
import { firstEnglish } from './first-en.js';
import { firstMoreEnglish } from './first-more-en.js';
import { firstChinese } from './first-zh.js';
import { fourth } from './fourth.js';
import { ninth } from './ninth.js';
import { secondEnglish } from './second-en.js';
import { secondMoreEnglish } from './second-more-en.js';
import { secondChinese } from './second-zh.js';
import { seventh } from './seventh.js';
import { sixthEnglish } from './sixth-en.js';
import { sixthChinese } from './sixth-zh.js';
import { tenthEnglish } from './tenth-en.js';
import { tenthMore } from './tenth-more.js';
import { tenthChinese } from './tenth-zh.js';
import { thirdEnglish } from './third-en.js';
import { thirdChinese } from './third-zh.js';
import { twelfth } from './twelfth.js';

const tales: Readonly<Record<string, readonly Tell[]>> = {
  first: [...firstEnglish, ...firstMoreEnglish, ...firstChinese],
  second: [...secondEnglish, ...secondMoreEnglish, ...secondChinese],
  third: [...thirdEnglish, ...thirdChinese],
  fourth,
  fifth: [...fifthEnglish, ...fifthChinese],
  sixth: [...sixthEnglish, ...sixthChinese],
  seventh,
  eighth,
  ninth,
  tenth: [...tenthEnglish, ...tenthMore, ...tenthChinese],
  eleventh: [...eleventhEnglish, ...eleventhMore, ...eleventhChinese],
  twelfth,
};

export const setNames: readonly string[] = Object.keys(tales);

/** @param times each situation is told, with other numbers every time */
export const setOf = (name: string, times: number, seed: number): Case[] =>
  casesOf(tales[name] ?? [], times, randomFrom(seed));
