-- Functions of the libraries that few sessions use; see `late` in `sandbox.lua`, which says the rest.
local native, known = ...

local std = native.std
local error, type, select, tostring, tonumber = std.error, std.type, std.select, std.tostring, std.tonumber
local pcall, xpcall, setmetatable = std.pcall, std.xpcall, std.setmetatable
local settle, sticky, describe = std.settle, std.sticky, std.describe
local needs_table, MANY = std.needs_table, std.MANY

-- A handler may be called from inside the hook that found the limit, where Lua runs no hooks: nothing could stop it.
function known.xpcall(f, handler, ...)
  local own = handler
  if type(own) == "function" then
    handler = function(fault)
      if sticky(fault) then return fault end
      if type(fault) == "userdata" then fault = describe(fault) end
      return own(fault)
    end
  end
  return settle(xpcall(f, handler, ...))
end

-- Every entry runs in a coroutine of ours, which is what the hook leaves by. A coroutine of the user never dies of an error: what it
-- has to close would be closed without hooks then. It ends with `FAILED` and the error instead, which `resume` turns back.
local create, resume, close, yield = std.create, std.resume, std.close, std.yield
local running, isyieldable = std.running, std.isyieldable
local of_user = setmetatable({}, { __mode = "k" })
local function FAILED() end

local function finish(ok, ...)
  if ok then return ... end
  return FAILED, ...
end

local function made(f)
  local co = create(function(...) return finish(pcall(f, ...)) end)
  of_user[co] = true
  return co
end

local function resumed(ok, ...)
  if not ok then return settle(false, ...) end
  local first, fault = ...
  if first == nil then
    -- A coroutine that the hook has left looks like one that yields nothing.
    if sticky(nil) then error("limit exceeded", 0) end
  elseif first == FAILED then
    return settle(false, fault)
  end
  return true, ...
end

local function handed_on(ok, ...)
  if ok then return ... end
  error((...), 0)
end

known["coroutine.create"] = function(f)
  if type(f) ~= "function" then error("bad argument #1 to 'create' (function expected)", 2) end
  return made(f)
end
known["coroutine.wrap"] = function(f)
  if type(f) ~= "function" then error("bad argument #1 to 'wrap' (function expected)", 2) end
  local co = made(f)
  return function(...) return handed_on(resumed(resume(co, ...))) end
end
known["coroutine.resume"] = function(...) return resumed(resume(...)) end
known["coroutine.close"] = function(...) return settle(close(...)) end
known["coroutine.yield"] = function(...)
  if not of_user[running()] then error("attempt to yield from outside a coroutine", 2) end
  return yield(...)
end
known["coroutine.running"] = function()
  local co = running()
  return co, not of_user[co]
end
known["coroutine.isyieldable"] = function() return of_user[running()] ~= nil and isyieldable() end

-- Text only: a made-up binary chunk could do anything to the process.
local load = std.load
local function loaded(f, fault)
  if f then return f end
  if sticky(fault) then error("limit exceeded", 0) end
  if type(fault) == "userdata" then fault = describe(fault) end
  return nil, fault
end
function known.load(chunk, name, mode, ...)
  if mode ~= nil and mode ~= "t" and mode ~= "bt" then
    return nil, "attempt to load a binary chunk: only text is loaded here"
  end
  if type(chunk) == "number" then chunk = tostring(chunk) end
  if select("#", ...) > 0 then return loaded(load(chunk, name, "t", (...))) end
  return loaded(load(chunk, name, "t"))
end
function known.loadstring(chunk, name) return loaded(load(chunk, name, "t")) end

local gmatch, gmatch_start = native.gmatch, native.gmatch_start

-- `gmatch` answers the end of the match before the captures.
local function advance(state, ok, finish, ...)
  if not ok then error(finish, 2) end
  if finish == nil then return nil end
  state.from, state.last = finish, finish
  return ...
end
known["string.gmatch"] = function(text, pattern, init)
  local ok, from = gmatch_start(text, pattern, init)
  if not ok then error(from, 2) end
  local state = { from = from }
  return function() return advance(state, gmatch(text, pattern, state.from, state.last)) end
end

local move = std.move
known["table.move"] = function(from, first, last, ...)
  if type(first) == "number" and type(last) == "number" and last - first > MANY then error("too many elements to move", 2) end
  return move(from, first, last, ...)
end

known["table.remove"] = function(t, ...)
  needs_table(t, "remove")
  local size = #t
  local at = size
  if select("#", ...) > 0 then
    at = tonumber((...))
    if not at or (at ~= size and (at < 1 or at > size + 1)) or at % 1 ~= 0 then
      error("bad argument #2 to 'remove' (position out of bounds)", 2)
    end
  end
  local value = t[at]
  for i = at, size - 1 do t[i] = t[i + 1] end
  if at < size then t[size] = nil else t[at] = nil end
  return value
end
