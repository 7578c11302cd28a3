// What awl writes, against the SDK's type declarations.
import { Declarations } from './declarations.mjs';

// Members that the reference writes although the SDK does not declare them.
const UNDECLARED = {
  'system/init': ['original_cwd', 'additional_directories', 'analytics_disabled', 'product_feedback_disabled',
                  'memory_paths', 'messaging_socket_path'],
  'system/session_state_changed': ['sdk_host_only'],
  assistant: ['api_error_status', 'is_api_error_message'],
  user: ['tool_result_meta'],
  ...Object.fromEntries(['error_during_execution', 'error_max_turns', 'error_max_budget_usd',
                         'error_max_structured_output_retries']
    .map(kind => [`result/${kind}`, ['model_usage_since_last_result']])),
  'result/success': ['model_usage_since_last_result', 'subagent_stats', 'safety_stops'],
};

// Whole messages of that kind: type[/subtype] -> members.
const UNDECLARED_TYPES = {
  'system/model_fallback': ['trigger', 'original_model', 'fallback_model', 'content'],
  command_lifecycle: ['command_uuid', 'state'],
  transcript_mirror: ['filePath', 'entries'],
};

// The declared type of the answer to each control request.
const ANSWERS = {
  initialize: 'SDKControlInitializeResponse',
  interrupt: 'SDKControlInterruptResponse',
  get_context_usage: 'SDKControlGetContextUsageResponse',
  get_usage: 'SDKControlGetUsageResponse',
  get_hooks_listing: 'SDKControlGetHooksListingResponse',
  get_task_output: 'SDKControlGetTaskOutputResponse',
  list_permission_rules: 'SDKControlListPermissionRulesResponse',
  mcp_read_resource: 'SDKControlMcpReadResourceResponse',
  mcp_set_servers: 'McpSetServersResult',
  read_file: 'SDKControlReadFileResponse',
  reload_output_styles: 'SDKControlReloadOutputStylesResponse',
  reload_plugins: 'SDKControlReloadPluginsResponse',
  reload_skills: 'SDKControlReloadSkillsResponse',
  rewind_files: 'RewindFilesResult',
};

// Older executables answer these with nothing.
const MAY_BE_EMPTY = new Set(['interrupt']);

// Members of answers that the reference adds.
const UNDECLARED_ANSWERS = {
  initialize: ['pid', 'current_permission_mode', 'session_state', 'capabilities'],
};

function without(value, names = []) {
  const rest = { ...value };
  for (const name of names) delete rest[name];
  return rest;
}

export class Messages {
  constructor(path) {
    this.declarations = new Declarations(path);
    this.kinds = new Set(); // seen so far
  }

  /** What is wrong with the lines that one process wrote, given those it read. */
  wrong({ input, output }) {
    const asked = new Map(input.filter(m => m.type === 'control_request').map(m => [m.request_id, m.request.subtype]));
    return output.flatMap(message => this.wrongMessage(message).concat(this.wrongAnswer(message, asked)));
  }

  wrongMessage(message) {
    const kind = [message.type, message.subtype ?? message.request?.subtype].filter(Boolean).join('/');
    this.kinds.add(kind);
    if (message.type.startsWith('awl_') || message.subtype?.startsWith('awl_')) return [];
    if (UNDECLARED_TYPES[kind]) {
      const known = [...UNDECLARED_TYPES[kind], 'type', 'subtype', 'uuid', 'session_id'];
      return Object.keys(message).filter(name => !known.includes(name) && !name.startsWith('awl_'))
        .map(name => `${kind}.${name}: not known`);
    }
    const declared = without(message, UNDECLARED[kind]);
    if (declared.response) declared.response = without(declared.response, ['error_code']); // as the reference
    return this.declarations.check('StdoutMessage', declared)
      .map(line => line.replace('StdoutMessage', kind));
  }

  wrongAnswer(message, asked) {
    const { response } = message;
    if (message.type !== 'control_response' || response.subtype !== 'success') return [];
    const subtype = asked.get(response.request_id);
    if (!subtype) return [`answer to ${response.request_id}, which nobody asked`];
    this.kinds.add(`answer/${subtype}`);
    if (!ANSWERS[subtype] || MAY_BE_EMPTY.has(subtype) && !Object.keys(response.response ?? {}).length) return [];
    return this.declarations.check(ANSWERS[subtype], without(response.response, UNDECLARED_ANSWERS[subtype]));
  }
}
