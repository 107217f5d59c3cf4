-- `mcp` and `ui`: events for agents, JSON, the log; and `diag`.
local native, core = ...

local error, type, tostring, rawequal = error, type, tostring, rawequal
local G, held = _G, core.held

local raising = native.raising

-- The root of a session whose code makes no application object. `value` is what its built-in view shows.
local mcp = { type = "MCP" }
G.mcp = mcp
held[1] = mcp

mcp.notify, mcp.pushState, mcp.status = raising(native.notify), raising(native.push_event), raising(native.status)
mcp.pollingEvents, mcp.waitTime = native.is_polled, native.wait_time

-- What `ui://state` shows.
function core.state()
  if mcp.state ~= nil then return mcp.state end
  if rawequal(held[1], mcp) then return mcp.value end
  return held[1]
end

local ui = {}
G.ui = ui
ui.log, ui.json_encode, ui.json_decode = core.log, raising(native.json_encode), native.json_decode

local function register(name, object)
  if type(name) ~= "string" or type(object) ~= "table" then error("a name and a table are needed", 2) end
  core.registered[name] = object
  return object
end
ui.registerPresenter, ui.registerWrapper = register, register

-- A note on the variable being evaluated.
function G.diag(level, text)
  if text == nil then level, text = "info", level end
  local id = core.current_variable()
  if id then
    native.request_note(id, tostring(level) .. ": " .. tostring(text))
  else
    core.log("debug", text)
  end
end
