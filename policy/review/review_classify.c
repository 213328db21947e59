#include "policy/review/review_classify.h"

#include "policy/review/ownership.h"
#include "policy/review/review_make.h"

struct review *review_classify(const struct review *decoded, const struct class_rules *class_rules)
{
    struct review *review = review_copy(decoded, decoded->bytes);
    bool is_classified = review &&
        (!review_needs_owners(review) ||
         ownership_classify(&review->ownership, review, class_rules, review->subresource));
    return is_classified ? review : NULL;
}
