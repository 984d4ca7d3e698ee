"""Which rules there are, and the kinds of nodes they are about.

A module with rules is imported when a graph has a node that one of them tracks. This file is
written by ``pytest --update-golden tests/rewrites/test_index.py``.
"""

INDEX = """\
[canonicalize]
constant_folding, canonicalize: ; tensor.variable.TensorConstant
explicit_casts, canonicalize: tensor.elemwise.Elemwise
cast_of_cast, canonicalize: tensor.elemwise.Elemwise; tensor.elemwise.Elemwise
copies, canonicalize: identity positive
other_gradients, canonicalize: gradient.steering.PassThrough
parts_of_reals, canonicalize: conj real
cast_to_own_dtype, canonicalize: tensor.elemwise.Elemwise; tensor.elemwise.Elemwise
dimshuffle_in_place, canonicalize: tensor.elemwise.DimShuffle
axes_of_one_in_order, canonicalize: tensor.elemwise.DimShuffle
dimshuffle_of_dimshuffle, canonicalize: tensor.elemwise.DimShuffle; tensor.elemwise.DimShuffle
dimshuffle_of_alloc, canonicalize: tensor.elemwise.DimShuffle; tensor.creation.filled.Alloc
dimshuffle_through_elemwise, pushdown: tensor.elemwise.DimShuffle; tensor.elemwise.Elemwise
elemwise_of_scalars, canonicalize: tensor.elemwise.Elemwise; tensor.elemwise.DimShuffle
fill_as_alloc, canonicalize: second
alloc_of_same_shape, canonicalize: tensor.creation.filled.Alloc
alloc_of_alloc, canonicalize: tensor.creation.filled.Alloc; tensor.creation.filled.Alloc
alloc_of_padded, canonicalize: tensor.creation.filled.Alloc; tensor.elemwise.DimShuffle
    tensor.variable.TensorConstant
elemwise_of_alloc, canonicalize: tensor.elemwise.Elemwise; tensor.creation.filled.Alloc
specified_already, canonicalize: tensor.shapes.static_shape.SpecifyShape
[algebra]
constant_last, canonicalize: tensor.elemwise.Elemwise; tensor.variable.TensorConstant
add_zero, canonicalize: add; tensor.variable.TensorConstant tensor.elemwise.DimShuffle
    tensor.creation.filled.Alloc
subtract_zero, canonicalize: sub; tensor.variable.TensorConstant tensor.elemwise.DimShuffle
    tensor.creation.filled.Alloc
multiply_by_one, canonicalize: mul; tensor.variable.TensorConstant tensor.elemwise.DimShuffle
    tensor.creation.filled.Alloc
divide_by_one, canonicalize: true_div int_div; tensor.variable.TensorConstant
    tensor.elemwise.DimShuffle tensor.creation.filled.Alloc
multiply_integer_by_zero, canonicalize: mul; tensor.variable.TensorConstant
    tensor.elemwise.DimShuffle tensor.creation.filled.Alloc
multiply_by_zero, canonicalize, unusual: mul; tensor.variable.TensorConstant
    tensor.elemwise.DimShuffle tensor.creation.filled.Alloc
power_zero_or_one, canonicalize: pow; tensor.variable.TensorConstant tensor.elemwise.DimShuffle
    tensor.creation.filled.Alloc
power_two, canonicalize: pow; tensor.variable.TensorConstant tensor.elemwise.DimShuffle
    tensor.creation.filled.Alloc
power_minus_one, canonicalize: pow; tensor.variable.TensorConstant tensor.elemwise.DimShuffle
    tensor.creation.filled.Alloc
power_half, canonicalize: pow; tensor.variable.TensorConstant tensor.elemwise.DimShuffle
    tensor.creation.filled.Alloc
product_of_equals, canonicalize: mul
sum_of_equals, canonicalize: add
integer_less_itself, canonicalize: sub
terms_of_equal_factors, canonicalize: add sub; mul
collect_factors, canonicalize: mul; tensor.variable.TensorConstant
collect_divisors, canonicalize: true_div; tensor.variable.TensorConstant
subtract_constant, canonicalize: sub; tensor.variable.TensorConstant
collect_terms, canonicalize: add; tensor.variable.TensorConstant
collect_terms_of_difference, canonicalize: sub; tensor.variable.TensorConstant
constant_factor_outward, canonicalize: mul; mul
[signs]
negative_of_negative, canonicalize: neg; neg
negative_of_difference, canonicalize: neg; sub mul true_div
difference_times_negative, canonicalize: mul; sub
negative_of_product_with_constant, canonicalize: neg; mul
negative_of_quotient_of_constant, canonicalize: neg; true_div
minus_one_over, canonicalize: true_div; tensor.variable.TensorConstant
multiply_by_minus_one, canonicalize: mul; tensor.variable.TensorConstant tensor.elemwise.DimShuffle
    tensor.creation.filled.Alloc
sign_of_product, canonicalize: mul true_div; neg
add_negative, canonicalize: add; neg
subtract_negative, canonicalize: sub; neg
negative_less_something, canonicalize: sub; neg
even_function, canonicalize: abs sqr cosh cos; neg abs
odd_function, canonicalize: sin tan sinh tanh arcsin arctan arcsinh arctanh erf cbrt; neg
abs_of_positive, canonicalize: abs; abs sigmoid exp softplus cosh tensor.nnet.softmax.Softmax add
[quotients]
divide_by_power_of_two, canonicalize: true_div; tensor.variable.TensorConstant
one_over, canonicalize: true_div; tensor.variable.TensorConstant tensor.elemwise.DimShuffle
    tensor.creation.filled.Alloc
multiply_by_reciprocal, canonicalize: mul; reciprocal
divide_by_reciprocal, canonicalize: true_div reciprocal; reciprocal
divide_by_quotient, canonicalize: true_div reciprocal; true_div
divide_by_quotient_and_divisor, canonicalize: true_div; true_div
reciprocal_of_quotient_and_divisor, canonicalize: true_div; reciprocal
divide_by_factor, canonicalize: true_div; mul tensor.nnet.softmax.Softmax
    tensor.indexing.slices.Subtensor tensor.indexing.advanced.AdvancedSubtensor
    tensor.shapes.reshape.Reshape tensor.elemwise.DimShuffle exp sigmoid softplus cosh gamma
[scalars]
scalar_last, canonicalize: tensor.elemwise.Elemwise; tensor.elemwise.DimShuffle
divide_by_count, canonicalize: true_div; tensor.elemwise.DimShuffle
scalars_together, canonicalize: mul; mul
scalar_factor_outward, canonicalize: mul; mul
scalar_out_of_quotient, canonicalize: true_div; mul
common_scalar_factor, canonicalize: add sub; mul
difference_of_complements, canonicalize: sub; mul
[logic]
switch_decided, canonicalize: switch
switch_on_negation, canonicalize: switch; invert logical_not
switch_of_switch, canonicalize: switch; switch
compare_with_itself, canonicalize: eq le ge neq lt gt
idempotent, canonicalize: maximum minimum and_ or_ fmax fmin
negation_of_negation, canonicalize: invert logical_not; invert logical_not
negation_of_comparison, canonicalize: invert logical_not; eq neq lt ge le gt
truth_with_constant, canonicalize: and_ or_ xor logical_and logical_or add mul;
    tensor.variable.TensorConstant
compare_length_with_zero, canonicalize: lt ge gt le; tensor.variable.TensorConstant
bound_length_by_zero, canonicalize: maximum minimum; tensor.variable.TensorConstant
bound_length_by_longer, canonicalize: minimum maximum; add
conditions_that_hold, canonicalize: tensor.assertion.Assert tensor.assertion.AssertOrRaise
[reduce]
reduce_axes_of_one, canonicalize: tensor.reductions.reduce.CAReduce
reduce_of_reduce, canonicalize: tensor.reductions.reduce.CAReduce; tensor.reductions.reduce.CAReduce
reduce_of_dimshuffle, canonicalize: tensor.reductions.reduce.CAReduce; tensor.elemwise.DimShuffle
sum_of_negative, canonicalize: tensor.reductions.reduce.CAReduce; neg
sum_of_scaled, pushdown: tensor.reductions.reduce.CAReduce; mul true_div sqr
sum_of_shifted, specialize: tensor.reductions.reduce.CAReduce; add sub
reduce_of_alloc, canonicalize: tensor.reductions.reduce.CAReduce; tensor.creation.filled.Alloc
[shape]
length_of_computed, canonicalize: tensor.shapes.shape.Shape_i
element_of_makevector, canonicalize: tensor.indexing.slices.Subtensor;
    tensor.shapes.shape.MakeVector
makevector_of_all_items, canonicalize: tensor.shapes.shape.MakeVector;
    tensor.indexing.slices.Subtensor
reshape_of_reshape, canonicalize: tensor.shapes.reshape.Reshape; tensor.shapes.reshape.Reshape
reshape_as_axes, canonicalize: tensor.shapes.reshape.Reshape
join_of_one, canonicalize: tensor.shapes.join.Join
reshape_of_inserted_axes, canonicalize: tensor.shapes.reshape.Reshape; tensor.elemwise.DimShuffle
[subtensor]
plain_slices, canonicalize: tensor.indexing.slices.Subtensor tensor.indexing.slices.IncSubtensor
part_of_elementwise, pushdown: tensor.indexing.slices.Subtensor; tensor.elemwise.Elemwise
part_of_alloc, canonicalize: tensor.indexing.slices.Subtensor; tensor.creation.filled.Alloc
part_of_dimshuffle, canonicalize: tensor.indexing.slices.Subtensor; tensor.elemwise.DimShuffle
increment_by_zero, canonicalize: tensor.indexing.slices.IncSubtensor; tensor.creation.filled.Alloc
    tensor.variable.TensorConstant
change_of_everything, canonicalize: tensor.indexing.slices.IncSubtensor
part_of_change, canonicalize: tensor.indexing.slices.Subtensor; tensor.indexing.slices.IncSubtensor
parts_of_zeros_joined, specialize: tensor.indexing.slices.IncSubtensor;
    tensor.indexing.slices.IncSubtensor
gather_of_elementwise, pushdown: tensor.indexing.advanced.AdvancedSubtensor;
    tensor.elemwise.Elemwise
broadcast_of_equal_lengths, canonicalize: tensor.indexing.call_broadcast.BroadcastInCall
    tensor.indexing.call_broadcast.SumInCall
gather_everything, canonicalize: tensor.indexing.advanced.AdvancedSubtensor
gather_of_alloc, canonicalize: tensor.indexing.advanced.AdvancedSubtensor;
    tensor.creation.filled.Alloc
[scatters]
factor_of_scatter, specialize: mul true_div; tensor.indexing.slices.IncSubtensor
    tensor.indexing.advanced.AdvancedIncSubtensor
negative_of_scatter, specialize: neg; tensor.indexing.slices.IncSubtensor
    tensor.indexing.advanced.AdvancedIncSubtensor
sum_with_scatter, specialize: add sub; tensor.indexing.slices.IncSubtensor
    tensor.indexing.advanced.AdvancedIncSubtensor
gathered_rows_joined, specialize: tensor.indexing.advanced.AdvancedIncSubtensor;
    tensor.indexing.advanced.AdvancedIncSubtensor
[onehot]
scatter_as_choice, canonicalize: tensor.indexing.advanced.AdvancedIncSubtensor;
    tensor.creation.filled.Alloc tensor.variable.TensorConstant
choice_of_one_and_zero, canonicalize: switch
negative_of_choice, canonicalize: switch; neg
sum_of_choice, canonicalize: tensor.reductions.reduce.CAReduce; switch
multiply_by_divisor, canonicalize: mul; neg true_div mul tensor.elemwise.DimShuffle
multiply_terms_by_divisor, canonicalize: mul; sub add
common_factor_of_choice, canonicalize: sub add; switch
[identities]
log_of_minus_expm1, stabilize: log; neg
log1p_of_minus_exp, stabilize: log1p; neg
log_of_expm1, stabilize: log; expm1
log_of_difference_of_exponentials, stabilize: log; sub
softplus_less_operand, stabilize: sub; softplus
softplus_of_negative_and_operand, stabilize: add; softplus
operand_less_softplus, stabilize: sub; softplus
difference_of_softplus, stabilize: sub; softplus
difference_of_softplus_of_negative, stabilize: sub; softplus
sigmoid_less_one, stabilize: add; sigmoid
sigmoid_less_square, stabilize: sub; sigmoid
sigmoid_less_that_of_negative, stabilize: sub; sigmoid
square_less_sigmoid, stabilize: sub; sqr
sinh_spelled_out, stabilize: sub; exp
tanh_spelled_out, stabilize: true_div; sinh
sinh_over_cosh, stabilize: true_div; sinh
cosh_over_sinh, stabilize: true_div; cosh
tanh_of_half, stabilize: true_div; expm1
two_sigmoids_less_one, stabilize: add; mul
one_minus_tanh, stabilize: sub; tanh
one_plus_tanh, stabilize: add; tanh
one_minus_square_of_sigmoid, stabilize: sub; sqr
one_minus_square_of_tanh, stabilize: sub add; sqr
one_minus_square_of_coth, stabilize: sub; true_div
log_of_cosh, stabilize: log; cosh
log_of_sinh, stabilize: log; sinh
cosh_minus_one, stabilize: add; cosh
one_minus_cosh, stabilize: sub; cosh
cos_minus_one, stabilize: add; cos
one_minus_cos, stabilize: sub; cos
log_of_square, stabilize: log; sqr
log_of_root, stabilize: log; sqrt
log_of_power, stabilize: log; pow
log_of_product, stabilize: log; tensor.reductions.reduce.CAReduce
log_of_successor_less_log, stabilize: sub; log1p
log_less_log_of_successor, stabilize: sub; log
log_of_successor_over_operand, stabilize: log; true_div
log_of_operand_over_successor, stabilize: log; true_div
difference_of_logs, stabilize: sub; log
hypot_spelled_out, stabilize: sqrt; add
root_of_square_and_constant, stabilize: sqrt; add
hypot_of_one_less_one, stabilize: add; hypot
root_of_one_plus_less_one, stabilize: add; sqrt
difference_of_roots, stabilize: sub; sqrt
arcsinh_spelled_out, stabilize: log; add
arctanh_spelled_out, stabilize: log; true_div
log_of_erfc, stabilize: log; erfc
log_of_normal_tail, stabilize: log; mul
log_of_gamma, stabilize: log; gamma
upper_gamma_of_order_one, stabilize: gammaincc; tensor.variable.TensorConstant
lower_gamma_of_order_one, stabilize: gammainc; tensor.variable.TensorConstant
[bells]
bell_and_erfc, stabilize: mul true_div; exp erfc mul true_div sqr reciprocal
    tensor.elemwise.DimShuffle
[vanishing]
log_of_one_minus_double_exponential, stabilize: log1mexp; neg
log_of_softplus, stabilize: log; softplus
[stabilize]
log_of_one_plus, stabilize: log; add
log_of_one_minus, stabilize: log; sub
exp_minus_one, stabilize: add; exp
one_minus_exp, stabilize: sub; exp
softplus_spelled_out, stabilize: log1p; exp
softplus_of_sigmoid, stabilize: log; sigmoid
log_of_one_minus_sigmoid, stabilize: log1p; neg
one_minus_sigmoid, stabilize: sub; sigmoid
sigmoid_spelled_out, stabilize: reciprocal; add
sigmoid_of_negative_spelled_out, stabilize: reciprocal; add
sigmoid_as_quotient, stabilize: true_div; exp
scaled_sigmoid_as_quotient, stabilize: true_div; mul
log_of_exp, stabilize: log; exp
exp_of_log, stabilize: exp; log
expm1_of_log1p, stabilize: expm1; log1p
log1p_of_expm1, stabilize: log1p; expm1
root_of_square, stabilize: sqrt; sqr
square_of_root, stabilize: sqr; sqrt
one_minus_erf, stabilize: sub; erf
one_plus_erf, stabilize: add; erf
one_minus_erfc, stabilize: sub; erfc
logarithm_of_two_exponentials, stabilize: log; add
log_of_sum_of_exp, stabilize: log; tensor.reductions.reduce.CAReduce tensor.elemwise.DimShuffle
softmax_spelled_out, stabilize: true_div; exp
log_of_softmax, stabilize: log; tensor.nnet.softmax.Softmax
exp_of_logsoftmax, stabilize: exp; tensor.nnet.softmax.LogSoftmax
logsoftmax_spelled_out, stabilize: sub; tensor.nnet.softmax.LogSumExp tensor.elemwise.DimShuffle
[exponentials]
exponential_over_sum, stabilize: mul true_div reciprocal; exp mul true_div reciprocal neg sqr
    sigmoid cosh sinh hypot expm1 add sub sqrt softplus tensor.reductions.reduce.CAReduce
    tensor.elemwise.DimShuffle
[logarithms]
log_of_product_with_exponential, stabilize: log; mul true_div reciprocal
log_of_weighted_exponentials, stabilize: log; add
log_of_weighted_sum_of_exponentials, stabilize: log; tensor.reductions.reduce.CAReduce
    tensor.elemwise.DimShuffle
softmax_of_shifted, stabilize: tensor.nnet.softmax.Softmax tensor.nnet.softmax.LogSoftmax; sub
logsumexp_of_shifted, stabilize: add; tensor.nnet.softmax.LogSumExp tensor.elemwise.DimShuffle
maximum_before_logarithm, expand: sub; add tensor.elemwise.DimShuffle
[scaled]
quotient_of_exponentials, stabilize: mul true_div; exp mul true_div reciprocal neg sqr sigmoid cosh
    sinh hypot expm1 add sub sqrt softplus tensor.reductions.reduce.CAReduce
    tensor.elemwise.DimShuffle
log_of_exponentials, stabilize: log; add sub mul true_div sqr sqrt expm1 pow
    tensor.reductions.reduce.CAReduce tensor.elemwise.DimShuffle
log1p_of_exponentials, stabilize: log1p; add sub mul true_div sqr sqrt expm1 pow
    tensor.reductions.reduce.CAReduce tensor.elemwise.DimShuffle
root_of_exponentials, specialize: sqrt; tensor.reductions.reduce.CAReduce tensor.elemwise.DimShuffle
exponential_over_sums_of_terms, stabilize: mul; exp sigmoid tensor.nnet.softmax.Softmax
sum_of_shares, stabilize: tensor.reductions.reduce.CAReduce; true_div mul
[rational]
difference_of_quotients, canonicalize: add sub; mul true_div reciprocal neg sqr
    tensor.elemwise.DimShuffle
quotient_of_powers, stabilize: true_div mul; add sub mul true_div sqr pow
product_over_sum, stabilize: true_div; add sqr
[clipped]
log_of_clipped, stabilize: log; clip maximum minimum
one_minus_clipped, stabilize: sub; clip
log_of_one_minus_clipped, stabilize: log1p; neg
[selections]
log_of_selected, stabilize: log; tensor.indexing.slices.Subtensor
    tensor.indexing.advanced.AdvancedSubtensor tensor.shapes.reshape.Reshape
    tensor.elemwise.DimShuffle
log_in_other_base, stabilize: log2 log10; exp sigmoid tensor.nnet.softmax.Softmax
    tensor.indexing.slices.Subtensor tensor.indexing.advanced.AdvancedSubtensor
    tensor.shapes.reshape.Reshape tensor.elemwise.DimShuffle
multiply_before_put, canonicalize: mul; tensor.indexing.slices.IncSubtensor
    tensor.indexing.advanced.AdvancedIncSubtensor tensor.shapes.reshape.Reshape
    tensor.elemwise.DimShuffle switch mul neg true_div sub add
[shares]
probability_times_logarithm, stabilize: mul; tensor.nnet.softmax.Softmax
    tensor.indexing.slices.Subtensor tensor.indexing.advanced.AdvancedSubtensor
log_of_one_minus_softmax, stabilize: log1p; neg
slope_of_one_minus_softmax, stabilize: mul; tensor.nnet.softmax.Softmax
slope_of_subtracted_maximum, stabilize: switch; eq
[differences]
terms_with_common_factors, stabilize: add sub; mul true_div reciprocal sigmoid
[norms]
log_of_sum_of_squares, stabilize: log; tensor.reductions.reduce.CAReduce tensor.elemwise.DimShuffle
root_of_sum_of_squares, stabilize: sqrt; tensor.reductions.reduce.CAReduce
    tensor.elemwise.DimShuffle
[scaling]
log_of_products_in_range, specialize: log; mul true_div
log_of_product_in_range, specialize: log; mul true_div
root_of_product_in_range, specialize: sqrt; mul true_div
log_of_squares_in_range, specialize: log; add
log1p_of_square_in_range, specialize: log1p; sqr mul true_div
[specialize]
power_as_products, specialize: pow; tensor.variable.TensorConstant
power_by_roots, specialize: pow; tensor.variable.TensorConstant
clip_spelled_out, specialize: minimum maximum; maximum minimum
square_of_modulus, specialize: sqr; abs
divide_by_root_of_row, specialize: true_div; sqrt tensor.elemwise.DimShuffle
divide_by_exponential_of_row, specialize: true_div; exp tensor.elemwise.DimShuffle
divide_by_norm_of_row, specialize: true_div; mul tensor.elemwise.DimShuffle
factors_of_rows_together, specialize: mul; mul
[sums]
factors_before_sum, specialize: tensor.reductions.reduce.CAReduce; mul true_div
sum_of_centered, specialize: tensor.reductions.reduce.CAReduce; add sub mul neg
[masks]
mask_as_condition, canonicalize: tensor.indexing.advanced.AdvancedIncSubtensor;
    tensor.indexing.nonzeros.Nonzero
reduction_of_masked, specialize: tensor.reductions.reduce.CAReduce; tensor.elemwise.Elemwise
    tensor.indexing.advanced.AdvancedSubtensor
change_of_masked, specialize: tensor.indexing.advanced.AdvancedIncSubtensor
[attention]
attention_by_blocks, blas, graph: tensor.nnet.softmax.Softmax
[blas]
transposed_product, canonicalize: tensor.elemwise.DimShuffle; tensor.linalg.dot.Dot
product_with_zeros, canonicalize, unusual: tensor.linalg.dot.Dot; tensor.creation.filled.Alloc
    tensor.variable.TensorConstant
sign_of_dot, canonicalize: tensor.linalg.dot.Dot; neg
product_with_identity, canonicalize: tensor.linalg.dot.Dot; tensor.creation.identity.Eye
inner_product, specialize: tensor.linalg.dot.Dot
order_of_products, blas: tensor.linalg.dot.Dot; tensor.linalg.dot.Dot
accumulate_product, blas: add sub; tensor.linalg.dot.Dot mul neg true_div
scaled_product, blas: mul true_div neg; tensor.linalg.dot.Dot mul true_div neg
accumulate_with_decay, blas: add sub; mul neg true_div
[diagonals]
product_with_diagonal, canonicalize: tensor.linalg.dot.Dot; mul true_div neg
sum_over_diagonal, canonicalize: tensor.reductions.reduce.CAReduce; mul true_div neg
[batched]
transposed_batched_product, canonicalize: tensor.elemwise.DimShuffle; tensor.linalg.dot.BatchedDot
product_of_each_matrix, blas: tensor.linalg.dot.Dot; tensor.shapes.reshape.Reshape
[expand]
write_out_softmax, expand: tensor.nnet.softmax.AlongAxes
broadcast_operands, expand: tensor.indexing.call_broadcast.BroadcastInCall; tensor.elemwise.Elemwise
broadcast_indices_of_selection, expand: tensor.indexing.call_broadcast.BroadcastInCall;
    tensor.indexing.advanced.AdvancedSubtensor
broadcast_before_dimshuffle, expand: tensor.indexing.call_broadcast.BroadcastInCall;
    tensor.elemwise.DimShuffle
choose_in_call, expand: tensor.indexing.call_broadcast.BroadcastInCall
    tensor.indexing.call_broadcast.SumInCall
[shifts]
increments_as_shifted_reads, expand: tensor.indexing.slices.IncSubtensor;
    tensor.indexing.slices.IncSubtensor
[rolls]
roll_by_nothing, canonicalize: tensor.shapes.rolling.Roll
roll_of_roll, canonicalize: tensor.shapes.rolling.Roll; tensor.shapes.rolling.Roll
roll_of_parts, canonicalize: tensor.shapes.join.Join; tensor.indexing.slices.Subtensor
part_of_roll, canonicalize: tensor.indexing.slices.Subtensor; tensor.shapes.rolling.Roll
[transposes]
operations_between_transposes, expand, graph: tensor.elemwise.DimShuffle
[scan_merge]
loops_over_the_same_rows, loops, graph:
equal_results_of_loops, loops, graph:
[scans]
steps_in_normal_form, loops, graph:
unused_parts_of_loops, loops, graph:
last_rows_as_states, loops, graph:
rows_that_are_not_read, loops, graph:
[scan_lengths]
broadcast_of_equal_lengths_in_loops, loops, graph:
[scan_stored]
values_that_gradients_read, loops, graph:
[scan_unroll]
few_iterations_one_by_one, loops, graph:
[scan_rows]
rows_that_numbers_select, loops, graph:
rows_that_are_added_once, loops, graph:
[scan_starts]
first_term_before_loop, loops, graph:
[scan_draws]
draws_before_loops, loops, graph:
counters_from_steps, loops, graph:
[scan_motion]
invariants_before_loops, loops, graph:
rows_before_loops, loops, graph:
products_after_loops, loops, graph:
[packed]
packed_before_loops, blas, graph:
[unrolled]
scalarize_small_arrays, scalarize, graph:
[choices]
branch_of_known_condition, canonicalize: loops.branch.Branch; tensor.variable.TensorConstant
choose_numbers, canonicalize: loops.branch.Branch
branch_of_switch, specialize, graph: switch
"""
"""The rules of each module, in the order in which they are tried: name and phase, ``graph`` if a
rule is about graphs, ``unusual`` if it is not used by default; kinds of nodes; of operands."""
