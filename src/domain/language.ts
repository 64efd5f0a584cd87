/** Which language a person wrote in, as far as it decides the language of our own words. */

/** Names, paths, numbers and quoted data are not in any language. */
const foreign = /\{.*|`[^`]*`|"[^"]*"|\S*[/\\._]\S*/gsu;

/** True when more of the text is Han characters than Latin words. */
export function isChinese(text: string): boolean {
  const words = text.slice(0, 4_000).replace(foreign, ' ');
  const han = words.match(/\p{Script=Han}/gu)?.length ?? 0;
  const latin = words.match(/\p{Script=Latin}+/gu)?.length ?? 0;
  return han > latin;
}
