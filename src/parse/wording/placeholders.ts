/**
 * Values and words by which a call is shown and not made: values that somebody has yet to fill in, types in place of
 * values, words that open a block of code that is shown. Sources of regular expressions over one trimmed value.
 */

/** A value that stands for one that somebody has to fill in, whatever the tool: `<path>`, `{{email}}`, `...`. */
export const TEMPLATES: readonly string[] = [
  '<[\\p{L}][\\p{L}\\p{N}_ -]{0,40}>',
  '\\{\\{[^{}]{1,60}\\}\\}',
  '\\$\\{[^{}]{1,60}\\}',
  '\\.{3}|…+',
  '(?:在此|此处|这里|请)(?:处|您)?(?:填写|输入|填入|补充|替换).{0,20}',
  '[(（【[<{](?:您的|你的|填写|请|此处|待).{1,20}[)）】\\]>}]',
];

/** One that may be meant, as `YOUR_KEY` in a request for instructions. */
export const LOOSE_TEMPLATES: readonly string[] = [
  '\\{[A-Za-z_]{2,40}\\}',
  '\\[(?:your|insert|enter|placeholder|the) [^\\]]{1,60}\\]|\\[[A-Z_]{3,40}\\]',
  '%[A-Z_]{2,40}%',
  '(?:YOUR|INSERT|ENTER|REPLACE|PUT)[_-][A-Z0-9_-]{2,60}|[A-Z0-9_]{2,60}_HERE',
  '(?:your|insert|enter)[_ -][a-z_ -]{2,40}[_ -]here',
  'TODO|TBD|FIXME|placeholder|PLACEHOLDER|[xX]{3,10}|string',
  '待填|待补充|待定|占位符?|字符串',
  '(?:您的|你的)(?:邮箱|路径|地址|密钥|姓名|名字|电话|账号|密码|文件路径|文件名)',
];

/** Types as signatures of programs name them, in place of a value without quotes. */
export const TYPES: readonly string[] = [
  '(?:str|string|int|integer|float|double|number|bool|boolean|bytes|char|date|datetime|object|dict|list|array|tuple|set|any|path|void|none|null|callable|unknown)(?:\\[\\])?\\??',
  '(?:optional|list|dict|union|tuple|set|sequence|iterable|literal|array|map|record|promise|partial|annotated)(?:\\[.{0,80}|<.{0,80})',
  '\\w{1,40}(?: \\| \\w{1,40}){1,6}',
  '字符串|整数|浮点数|布尔值?|数组|列表|字典',
];

/** A type and a name, as one argument without a key: `String path`. */
export const TYPED_NAMES: readonly string[] = [
  '(?:const |final |readonly )?(?:unsigned |&)?(?:str|string|int|integer|float|double|number|bool|boolean|byte|char|object|list|map|any|path|file)[&*?]?(?:<[^<>]{1,40}>|\\[[^[\\]]{0,40}\\])? \\*?\\w{1,60}',
];

/** The line that opens a fence says that its content is shown. */
export const SHOWN_FENCES: readonly string[] = [
  '\\b(?:examples?|samples?|demo|illustration|not[ -]run)\\b',
  '示例|例子|演示|样例',
];
