/**
 * The marker table: every word that models put around reasoning, calls and tool output, as data.
 * A new format of a known shape is an entry here (or in a user's file, see `extendMarkers`), never code.
 */

import { REWRITES, type Rewrite } from './spellings.js';

export type Role =
  | 'call' // opens a region that holds calls
  | 'call-end'
  | 'separator' // stands between the parts of a call (name, id, arguments)
  | 'reasoning'
  | 'reasoning-end'
  | 'output' // tool output: never the model's own calls
  | 'output-end'
  | 'answer' // opens text for the reader
  | 'answer-end'
  | 'channel' // a header follows, up to a `message` token
  | 'message' // ends a channel header
  | 'turn-end' // ends a channel's body
  | 'turn' // a role word follows
  | 'litter'; // control tokens without meaning here

/** `listing`: declares tools, as output does, but for a call in JSON. */
export type TagRole = 'call' | 'reasoning' | 'output' | 'answer' | 'listing';

export interface MarkerTable {
  /** Literal markers that are no tags, by their exact text. */
  readonly tokens: Readonly<Record<string, Role>>;
  /** Names inside `<|…|>`, `<｜…｜>`, `[…]`, in lower case with `_` for anything else than letters and digits. */
  readonly words: Readonly<Record<string, Role>>;
  /** Local names of XML-like tags, in lower case; the end tag has the matching end role. */
  readonly tags: Readonly<Record<string, TagRole>>;
  /**
   * Spellings of tags and quotes that are rewritten before anything else, in order. `$` stands for any short text. With
   * `within`, only between the two texts given there.
   */
  readonly rewrites: readonly Rewrite[];
  /** Tags that hold one call: `<invoke name="N">`, `<function=N>`. */
  readonly callTags: readonly string[];
  /** Tags that hold one argument. */
  readonly parameterTags: readonly string[];
  /** Tags of key and value pairs. */
  readonly keyTags: readonly string[];
  readonly valueTags: readonly string[];
  /** Words between a marker and the arguments that are not the tool's name. */
  readonly headerWords: readonly string[];
  /** Bare words directly before a list that make it a list of calls. */
  readonly listWords: readonly string[];
  /** Languages of code fences whose content may be a call. */
  readonly fences: readonly string[];
  /** Lines that begin with these words and a colon. */
  readonly labels: Readonly<Record<string, 'thought' | 'action' | 'input' | 'argument' | 'observation' | 'final'>>;
  /** Sentences that open and close reasoning without any tag. */
  readonly sentences: readonly {
    readonly open: string;
    readonly close: string;
    /** Only when both stand there. */
    readonly both?: boolean;
  }[];
  /** Markers behind which the answer begins, all text before being reasoning. */
  readonly answerAfter: readonly string[];
}

export const MARKERS: MarkerTable = {
  tokens: {
    '[TOOL_CALLS]': 'call',
    '[/TOOL_CALLS]': 'call-end',
    '[CALL_ID]': 'separator',
    '[ARGS]': 'separator',
    '[TOOL_RESULTS]': 'output',
    '[/TOOL_RESULTS]': 'output-end',
    '[TOOL_CONTENT]': 'separator',
    '[AVAILABLE_TOOLS]': 'output',
    '[/AVAILABLE_TOOLS]': 'output-end',
    '[THINK]': 'reasoning',
    '[/THINK]': 'reasoning-end',
    '[BEGIN FINAL RESPONSE]': 'answer',
    '[END FINAL RESPONSE]': 'answer-end',
    '◁think▷': 'reasoning',
    '◁/think▷': 'reasoning-end',
    '<|tool_call>': 'call',
    '<tool_call|>': 'call-end',
    '<|channel>': 'channel',
    '<channel|>': 'reasoning-end',
    '<|tool_response>': 'output',
    '<tool_response|>': 'output-end',
    '<|turn>': 'turn',
    '<turn|>': 'litter',
    '<bos>': 'litter',
    '<eos>': 'litter',
    '</s>': 'litter',
    '<s>': 'litter',
    '<pad>': 'litter',
    '<unk>': 'litter',
    '[INST]': 'litter',
    '[/INST]': 'litter',
    '<start_of_turn>': 'turn',
    '<end_of_turn>': 'litter',
    '<start_function_call>': 'call',
    '<end_function_call>': 'call-end',
    '<start_function_response>': 'output',
    '<end_function_response>': 'output-end',
    '<longcat_think>': 'reasoning',
    '</longcat_think>': 'reasoning-end',
    '<tool_sep>': 'separator',
    '<unused94>thought': 'reasoning',
    '<unused94>': 'reasoning',
    '<unused95>': 'reasoning-end',
    '[e~[': 'litter',
    '<SPECIAL_12>': 'litter',
    '<dots_function_call>': 'call',
    '</dots_function_call>': 'call-end',
  },
  words: {
    python_tag: 'call',
    python_start: 'call',
    python_end: 'call-end',
    action_start: 'call',
    action_end: 'call-end',
    start_action: 'call',
    end_action: 'call-end',
    plugin: 'separator',
    interpreter: 'separator',
    tools_prefix: 'call',
    tools_suffix: 'call-end',
    inner_prefix: 'reasoning',
    inner_suffix: 'reasoning-end',
    start_thinking: 'reasoning',
    end_thinking: 'reasoning-end',
    thinking_start: 'reasoning',
    thinking_end: 'reasoning-end',
    think: 'reasoning',
    start_response: 'answer',
    end_response: 'answer-end',
    start_text: 'answer',
    end_text: 'answer-end',
    content_invoke_tool_json: 'call',
    content_invoke_tool: 'call',
    content_thinking: 'reasoning',
    content_text: 'answer',
    end_message: 'turn-end',
    channel: 'channel',
    message: 'message',
    constrain: 'separator',
    call: 'turn-end',
    end: 'turn-end',
    eom: 'turn-end',
    eot: 'turn-end',
    return: 'turn-end',
    start: 'channel',
    im_start: 'turn',
    start_header_id: 'turn',
    end_header_id: 'litter',
    role_sep: 'separator',
    role_start: 'turn',
    start_of_role: 'turn',
    end_of_role: 'litter',
    start_of_turn_token: 'litter',
    end_of_turn_token: 'litter',
    chatbot_token: 'litter',
    user_token: 'litter',
    system_token: 'litter',
    assistant: 'litter',
    user: 'turn',
    observation: 'output',
    im_end: 'litter',
    eot_id: 'litter',
    eom_id: 'litter',
    end_of_text: 'litter',
    begin_of_text: 'litter',
    endoftext: 'litter',
    startoftext: 'litter',
    end_of_sentence: 'litter',
    begin_of_sentence: 'litter',
    fim_begin: 'litter',
    assistant_end: 'litter',
    content: 'litter',
    separator: 'litter',
    tool_sep: 'separator',
  },
  tags: {
    think: 'reasoning',
    thinking: 'reasoning',
    thought: 'reasoning',
    thoughts: 'reasoning',
    reasoning: 'reasoning',
    reason: 'reasoning',
    reasoning_scratchpad: 'reasoning',
    scratchpad: 'reasoning',
    scratch_pad: 'reasoning',
    inner_monologue: 'reasoning',
    reflection: 'reasoning',
    planning: 'reasoning',
    draft: 'reasoning',
    tool_call: 'call',
    tool_calls: 'call',
    toolcall: 'call',
    toolcalls: 'call',
    function_call: 'call',
    function_calls: 'call',
    functioncall: 'call',
    functions: 'call',
    tool_use: 'call',
    use_tool: 'call',
    tool_code: 'call',
    action: 'call',
    actions: 'call',
    tools: 'listing',
    tool_response: 'output',
    tool_responses: 'output',
    tool_result: 'output',
    tool_results: 'output',
    tool_output: 'output',
    function_result: 'output',
    function_results: 'output',
    function_response: 'output',
    observation: 'output',
    available_tools: 'output',
    answer: 'answer',
    response: 'answer',
    final: 'answer',
    final_answer: 'answer',
  },
  rewrites: REWRITES,
  callTags: [
    'invoke',
    'function',
    'tool',
    'call',
    'function_call',
    'tool_call',
    'tool_use',
    'use_tool',
    'use_mcp_tool',
  ],
  parameterTags: ['parameter', 'param', 'argument', 'arg', 'parameters', 'property'],
  keyTags: ['arg_key', 'key', 'param_key', 'parameter_key', 'argument_key', 'param_name'],
  valueTags: ['arg_value', 'value', 'param_value', 'parameter_value', 'argument_value'],
  headerWords: [
    'function',
    'functions',
    'tool',
    'json',
    'call',
    'commentary',
    'analysis',
    'assistant',
    'final',
    'code',
    'constrain',
    'to',
    'name',
    'type',
    'arguments',
    'object',
    'args',
    'ts',
    'python',
  ],
  listWords: ['functools', 'function_calls', 'tool_calls', 'toolcalls'],
  fences: [
    '',
    'json',
    'json5',
    'jsonc',
    'tool_code',
    'tool_call',
    'tool_calls',
    'tool',
    'tools',
    'function_call',
    'function',
    'action',
    'xml',
    'text',
    'plaintext',
    'txt',
    'api',
    'call',
    'jsonl',
    'ndjson',
    '工具',
    'tool_use',
    'function_calls',
    'tool-call',
  ],
  labels: {
    thought: 'thought',
    thoughts: 'thought',
    thinking: 'thought',
    思考: 'thought',
    想法: 'thought',
    推理: 'thought',
    action: 'action',
    tool: 'action',
    'tool name': 'action',
    'function name': 'action',
    'function to call': 'action',
    行动: 'action',
    动作: 'action',
    操作: 'action',
    工具: 'action',
    调用工具: 'action',
    调用函数: 'action',
    工具名: 'action',
    工具名称: 'action',
    函数名: 'action',
    函数名称: 'action',
    'action input': 'input',
    'action inputs': 'input',
    'action arguments': 'input',
    'action args': 'input',
    'action parameters': 'input',
    'tool input': 'input',
    'tool arguments': 'input',
    input: 'input',
    args: 'input',
    arguments: 'input',
    parameters: 'input',
    参数: 'input',
    行动输入: 'input',
    动作输入: 'input',
    操作输入: 'input',
    工具输入: 'input',
    工具参数: 'input',
    函数参数: 'input',
    调用参数: 'input',
    输入: 'input',
    'begin arg': 'argument',
    'begin argument': 'argument',
    observation: 'observation',
    'tool output': 'observation',
    '✿function✿': 'action',
    '✿args✿': 'input',
    '✿return✿': 'final',
    观察: 'observation',
    观察结果: 'observation',
    'final answer': 'final',
    最终答案: 'final',
    最终回答: 'final',
  },
  sentences: [
    { open: 'Here is my thought process:', close: 'Here is my response:' },
    // Channels whose tokens a proxy took out.
    { open: 'analysis', close: 'assistantfinal', both: true },
  ],
  answerAfter: ['[BEGIN FINAL RESPONSE]'],
};
