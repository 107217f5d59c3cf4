-- `mcp` and `ui`: events for agents, JSON, the log; and `diag`.
local native, core = ...

local error, type, tostring, rawequal = error, type, tostring, rawequal
local G, held = _G, core.held

local function done(ok, ...)
  if ok then return ... end
  error((...), 2)
end

-- The root of a session whose code makes no application object. `value` is what its built-in view shows.
local mcp = { type = "MCP" }
G.mcp = mcp
held[1] = mcp

function mcp.notify(method, params) return done(native.notify(method, params)) end
function mcp.pushState(event) return done(native.push_event(event)) end
function mcp.pollingEvents() return native.is_polled() end
function mcp.waitTime() return native.wait_time() end
function mcp.status() return done(native.status()) end

-- What `ui://state` shows.
function core.state()
  if mcp.state ~= nil then return mcp.state end
  if rawequal(held[1], mcp) then return mcp.value end
  return held[1]
end

local ui = {}
G.ui = ui
function ui.log(...) return core.log(...) end
function ui.json_encode(value) return done(native.json_encode(value)) end
function ui.json_decode(text) return native.json_decode(text) end

local function register(name, object)
  if type(name) ~= "string" or type(object) ~= "table" then error("a name and a table are needed", 3) end
  core.registered[name] = object
  return object
end
function ui.registerPresenter(name, object) return (register(name, object)) end
function ui.registerWrapper(name, object) return (register(name, object)) end

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
