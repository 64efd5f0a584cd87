/** Spellings of tags and quotes that models and proxies use, and the common ones in their place. Part of the marker table. */

export interface Rewrite {
  readonly from: string;
  readonly to: string;
  readonly within?: readonly [open: string, close: string];
  /** `$` stands for one word only. */
  readonly word?: boolean;
  /** Only in a text that ends with the call: what follows would be its record. */
  readonly last?: boolean;
}

export const REWRITES: readonly Rewrite[] = [
  { from: '<｜DSML｜', to: '<' },
  { from: '</｜DSML｜', to: '</' },
  { from: '<|DSML|', to: '<' },
  { from: '</|DSML|', to: '</' },
  { from: '<｜｜DSML｜｜', to: '<' },
  { from: '</｜｜DSML｜｜', to: '</' },
  { from: '<||DSML||', to: '<' },
  { from: '</||DSML||', to: '</' },
  { from: '<‖DSML‖', to: '<' },
  { from: '</‖DSML‖', to: '</' },
  { from: ']<]minimax[>[<', to: '<' },
  { from: '<|open|>tools<|sep|>', to: '<tool_calls>' },
  { from: '<|close|>tools<|sep|>', to: '</tool_calls>' },
  { from: '<|close|>message<|sep|>', to: '' },
  { from: '<|open|>$<|sep|>', to: '<$>' },
  { from: '<|close|>$<|sep|>', to: '</$>' },
  { from: '✿RESULT✿', to: '<|observation|>' },
  { from: '<tool: function>\n$ ', to: '<tool name="$">' },
  { from: '<tool: $>', to: '<tool name="$">', word: true },
  { from: '<tool: function\n$ ', to: '<tool name="$">' },
  { from: '<tool: $ ', to: '<tool name="$">', word: true },
  { from: '<tool: $\n', to: '<tool name="$">', word: true },
  { from: '</tool: $>', to: '</tool>' },
  { from: '<functionname="', to: '<function name="' },
  { from: '<paramname="', to: '<param name="' },
  { from: '<parametername="', to: '<parameter name="' },
  { from: '<invokename="', to: '<invoke name="' },
  // The space of byte-level vocabularies, which some decoders leave in.
  { from: '<functionĠname="', to: '<function name="' },
  { from: '<paramĠname="', to: '<param name="' },
  { from: '<parameterĠname="', to: '<parameter name="' },
  { from: '<invokeĠname="', to: '<invoke name="' },
  { from: 'function call<|role_sep|>', to: '<|function_call|>' },
  { from: '-> tool/function_call\n', to: '<|function_call|>' },
  { from: '>>>all\n', to: '' },
  { from: '[Calling tool: $(', to: '<tool_call>$(', word: true, last: true },
  { from: '[Tool call: $(', to: '<tool_call>$(', word: true, last: true },
  { from: '[调用工具: $(', to: '<tool_call>$(', word: true, last: true },
  { from: '[调用工具：$(', to: '<tool_call>$(', word: true, last: true },
  { from: '[unused16]', to: '<think>' },
  { from: '[unused17]', to: '</think>' },
  { from: '[unused11]', to: '<tool_call>' },
  { from: '[unused12]', to: '</tool_call>' },
  { from: '<|tool_arg:start|>', to: '<arg_key>' },
  { from: '<|tool_arg:value|>', to: '</arg_key><arg_value>' },
  { from: '<|tool_arg:end|>', to: '</arg_value>' },
  { from: '</co: $>', to: '', within: ['<|START_RESPONSE|>', '<|END_RESPONSE|>'] },
  { from: '<co>', to: '', within: ['<|START_RESPONSE|>', '<|END_RESPONSE|>'] },
  { from: '</co: $>', to: '', within: ['<|START_THINKING|>', '<|END_THINKING|>'] },
  { from: '<co>', to: '', within: ['<|START_THINKING|>', '<|END_THINKING|>'] },
];
