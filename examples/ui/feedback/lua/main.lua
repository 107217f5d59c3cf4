-- Feedback: a form whose answer goes to the agent.
--
-- The agent shows the page, waits with `ui_wait`, and gets one event "feedback" for each answer.

local Feedback = session:prototype("Feedback", {
  topic = "product",
  rating = 0,
  comment = "",
  mayContact = false,
  email = "",
  problem = EMPTY,
  sent = false,
})

local RATINGS = { "Poor", "Could be better", "Fine", "Good", "Great" }
local LONGEST = 1000

function Feedback:ratingText()
  return RATINGS[math.ceil(self.rating)] or "Not rated yet"
end

function Feedback:room()
  return LONGEST - utf8.len(self.comment) .. " characters left"
end

function Feedback:hidesEmail()
  return not self.mayContact
end

function Feedback:isOpen()
  return not self.sent
end

-- What is missing, in words for the person; nil when the form can be sent.
function Feedback:missing()
  if self.rating < 1 then return "Please choose a number of stars." end
  if utf8.len(self.comment) > LONGEST then return "Please keep the comment shorter." end
  if self.mayContact and not self.email:match("^[^%s@]+@[^%s@]+%.[^%s@]+$") then
    return "Please give an address where we can reach you."
  end
  return nil
end

function Feedback:submit()
  self.problem = self:missing()
  if self.problem then return end
  mcp.notify("feedback", {
    topic = self.topic,
    rating = self.rating,
    comment = self.comment,
    email = self.mayContact and self.email or nil,
  })
  self.sent = true
end

function Feedback:again()
  self.rating, self.comment, self.problem, self.sent = 0, "", nil, false
end

if not session.reloading then
  session:createAppVariable(Feedback:new())
end
